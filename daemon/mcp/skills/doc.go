// Package skills serves installed skills over MCP, as SEP-2640 says (extension io.modelcontextprotocol/skills, written
// for protocol revision 2026-07-28): skills/list, skills/get, resources/read and resources/directory/read.
//
// Guarantees: only skills that the asking agent may use now are served; an entry lists every file with digest and
// size; a read returns exactly the bytes of the entry that skills/get answers at that moment, or the reason why not. A
// URI is looked up among the files of the skill that it names and never becomes a path on disk. Frontmatter is rendered
// as the author wrote it.
//
// Not guaranteed: that a client verifies what it reads. With many skills the list may be two seconds old, as lookup
// is; reading and skills/get never are.
//
// Package daemon/mcp/own imports it and gives it the installed skills. To test against it: a Source of bundles in
// memory, and the SDK's client.
package skills
