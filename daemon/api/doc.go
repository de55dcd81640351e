// Package api is the daemon's HTTP API: the listeners, the guard, and the wiring of its subpackages: caller (who
// calls), presence (a person's confirmation), engine (the path of a request), routes (the operations).
//
// One handler answers on two transports: a Unix socket (0600 in a folder of mode 0700) and, only after `showhow open`,
// a random loopback port that closes when it is idle. Handlers are thin: decode, call a service, answer.
//
// The guard guarantees:
//   - Socket: a process of another user is refused. A caller is the person (principal `user`) only if no process above
//     it, up to init, is a known agent; what cannot be examined counts as an agent (package caller).
//   - Port: Host is exactly 127.0.0.1:PORT, Origin absent or ours, Sec-Fetch-Site not another site; a bearer is required
//     except for the page's files and the one-time exchange of a code for a bearer. There are no cookies and no CORS.
//   - An agent's token makes its bearer that agent on either transport, whatever process shows it.
//   - Every operation declares who may call it and what a person must confirm (Access). That table is enforced before
//     the body is read, printed as x-showhow-access, and tested: an agent may look up, explain, verify checkpoints and
//     submit intents for skill_config, nothing else.
//   - Approving, installing, rejecting, deleting, minting tokens and everything that widens a scope or a permission
//     needs a person's confirmation, bound to action, subject, revision and content (package presence).
//
// Not guaranteed: an agent that runs as the same user, carries no mark and detaches itself cannot be told from a
// person by its processes; presence stands in its way, and a program that controls the person's terminal can read that
// too. On systems without peer credentials (Windows) every caller without a token counts as an agent. Root can do
// anything.
//
// On the wire: bodies are read strictly (package strict: no repeated keys, and no unknown ones where the specification
// says .strict()), bounds count UTF-16 units, every failure is the envelope with all violations and never a submitted
// value, a POST with a client_request_id is done once within 24 hours, and revisions travel as ETag and If-Match.
// Streams: see engine/stream.go.
//
// Test against it with New and a real socket; see api_test.go. The document is docs/openapi.json (go generate
// ./daemon/api).
package api
