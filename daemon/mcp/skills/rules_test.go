package skills_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/mcp/skills"
	"showhow/daemon/skill"
)

const head = `name: refunds
description: "Process refunds: per policy"
license: Apache-2.0
allowed-tools: Bash(git add *) Read
metadata: {version: "1.10", released: 2026-09-13, retries: 3, ratio: 1.50, beta: true, none: null, tags: [a, b]}
yes-or-no: yes
big: 12345678901234567890
`

func refunds(t *testing.T) (*library, host, skills.Skill) {
	t.Helper()
	l := newLibrary(t, bundle(t, "refunds", head, "references/GUIDE.md", "# Guide\r\n", "templates/eu/a b.md", "x\u2028y", "assets/logo.png",
		"\x89PNG\x00\xff", "assets/empty.txt", "", "policy.json", "{}", "references/inner/SKILL.md", "---\nname: inner\ndescription: d\n---\n"))
	h := connect(t, l, "codex", nil)
	all := h.list()
	if len(all) != 1 {
		t.Fatalf("%+v", all)
	}
	return l, h, all[0]
}

// Every rule of SEP-2640 that is a server's, by its sentence.
func TestRules(t *testing.T) {
	t.Parallel()
	l, h, s := refunds(t)
	uris := []string{}
	for _, f := range s.Resources {
		uris = append(uris, f.URI)
	}
	rule := func(sentence string, check func(t *testing.T)) { t.Run(sentence, check) }

	rule("Servers declare support for this extension in the extensions field of their capabilities", func(t *testing.T) {
		x := h.cs.InitializeResult().Capabilities.Extensions[skills.Extension]
		if m, ok := x.(map[string]any); !ok || m["directoryRead"] != true {
			t.Errorf("%v", x)
		}
	})
	rule("A server declaring this extension MUST also declare the resources capability", func(t *testing.T) {
		if h.cs.InitializeResult().Capabilities.Resources == nil {
			t.Error("it does not")
		}
	})
	rule("A server that declares this extension MUST implement skills/list and skills/get", func(t *testing.T) {
		g, err := h.get(s.URI)
		must(t, err)
		listed, _ := json.Marshal(s)
		var got skills.Skill
		must(t, json.Unmarshal(g.Skill, &got))
		if again, _ := json.Marshal(got); string(again) != string(listed) {
			t.Error("an entry of skills/get is not identical in shape and meaning to one of skills/list")
		}
	})
	rule("A server that declares directoryRead MUST support the method for every directory within the skill namespaces", func(t *testing.T) {
		for dir, want := range map[string][]string{
			"skill://refunds":               {"SKILL.md:refunds", "assets", "references", "templates"},
			"skill://refunds/templates":     {"eu"},
			"skill://refunds/templates/eu":  {"a b.md"},
			"skill://refunds/assets":        {"empty.txt", "logo.png"},
			"skill://refunds/references":    {"GUIDE.md", "inner"},
			"skill://refunds/references/in": nil,
		} {
			r, err := h.dir(dir, "")
			if want == nil {
				if code(err) != jsonrpc.CodeInvalidParams {
					t.Errorf("%s: %v", dir, err)
				}
				continue
			}
			must(t, err)
			if r.ResultType != "complete" || len(r.Resources) != len(want) {
				t.Errorf("%s: %+v", dir, r)
			}
			for _, c := range r.Resources {
				isDir := c.MIMEType == "inode/directory"
				if !strings.HasPrefix(c.URI, dir+"/") || strings.HasSuffix(c.URI, "/") || isDir == slices.Contains(uris, c.URI) {
					t.Errorf("%s: %+v", dir, c)
				}
			}
		}
	})
	rule("If the URI does not exist or is not a directory resource, the server MUST return error -32602", func(t *testing.T) {
		for _, uri := range []string{"", "skill://refunds/SKILL.md", "skill://refunds/", "skill://refunds/templates/", "skill://nothing",
			"file:///etc"} {
			if _, err := h.dir(uri, ""); code(err) != jsonrpc.CodeInvalidParams {
				t.Errorf("%q: %v", uri, err)
			}
		}
		if _, err := h.dir("skill://refunds/templates/", ""); err == nil ||
			!strings.Contains(err.Error(), "without a slash: skill://refunds/templates") {
			t.Errorf("a slash at the end: %v", err)
		}
		if _, err := h.get(""); code(err) != jsonrpc.CodeInvalidParams || !strings.Contains(err.Error(), "skill://NAME/SKILL.md") {
			t.Errorf("no URI: %v", err)
		}
	})
	rule("The final segment of the skill path MUST equal the skill's name and satisfy the naming rules", func(t *testing.T) {
		if s.URI != "skill://refunds/SKILL.md" {
			t.Error(s.URI)
		}
		for name, headOf := range map[string]string{"other-name": "name: another\ndescription: d\n", "Upper": "name: Upper\ndescription: d\n",
			"two--hyphens":          "name: two--hyphens\ndescription: d\n",
			strings.Repeat("x", 65): "name: " + strings.Repeat("x", 65) + "\ndescription: d\n"} {
			x := connect(t, newLibrary(t, bundle(t, name, headOf)), "codex", nil)
			if got := x.list(); len(got) != 0 {
				t.Errorf("%s is served", name)
			}
			if _, err := x.get("skill://" + name + "/SKILL.md"); code(err) != jsonrpc.CodeInvalidParams {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
	rule("SKILL.md MUST begin with YAML frontmatter containing at minimum the name and description fields", func(t *testing.T) {
		for _, bad := range []string{"name: x\n", "description: d\n", "- a\n- b\n", "name: x\nname: x\ndescription: d\n", "name: [x\n",
			"name: x\ndescription: 7\n"} {
			if got := connect(t, newLibrary(t, bundle(t, "x", bad)), "codex", nil).list(); len(got) != 0 {
				t.Errorf("%q is served", bad)
			}
		}
	})
	rule("The frontmatter object MUST be identical in content to the frontmatter of the SKILL.md it describes", func(t *testing.T) {
		want := `{"allowed-tools":"Bash(git add *) Read","big":12345678901234567890,"description":"Process refunds: per policy","license":` +
			`"Apache-2.0","metadata":{"beta":true,"none":null,"ratio":1.50,"released":"2026-09-13","retries":3,"tags":["a","b"],` +
			`"version":"1.10"},"name":"refunds","yes-or-no":"yes"}`
		if string(s.Frontmatter) != want {
			t.Errorf("%s", s.Frontmatter)
		}
	})
	rule("When resources is an array it MUST be complete, listing every file of the skill each exactly once", func(t *testing.T) {
		want := []string{"skill://refunds/SKILL.md", "skill://refunds/assets/empty.txt", "skill://refunds/assets/logo.png",
			"skill://refunds/references/GUIDE.md", "skill://refunds/references/inner/SKILL.md", "skill://refunds/templates/eu/a%20b.md"}
		if !slices.Equal(uris, want) {
			t.Error(uris)
		}
	})
	rule("Each uri MUST be the skill's SKILL.md or a file within the skill's directory", func(t *testing.T) {
		for _, u := range uris {
			if !strings.HasPrefix(u, "skill://refunds/") {
				t.Error(u)
			}
		}
	})
	rule("Each entry MUST carry size, and digests are SHA-256 of the raw bytes in 64 lowercase hexadecimal characters", func(t *testing.T) {
		form := regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)
		for _, f := range s.Resources {
			if _, err := h.read(f); err != nil || !form.MatchString(f.Digest) {
				t.Errorf("%+v: %v", f, err)
			}
		}
	})
	rule("Completeness extends to nested skills, and a nested SKILL.md is ordinary supporting content", func(t *testing.T) {
		r, err := h.cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "skill://refunds/references/inner/SKILL.md"})
		if err != nil || r.Contents[0].MIMEType != "text/markdown" {
			t.Errorf("%+v %v", r, err)
		}
	})
	rule("Servers SHOULD NOT serve a skill that exceeds either limit", func(t *testing.T) {
		var many []string
		for i := range skills.MaxFiles {
			many = append(many, fmt.Sprintf("references/%d.md", i), "x")
		}
		large := strings.Repeat("x", 5<<20)
		x := connect(t, newLibrary(t, bundle(t, "many", "", many...), bundle(t, "most", "", many[2:]...),
			bundle(t, "large", "", "assets/1", large, "assets/2", large, "assets/3", large, "assets/4", large)), "codex", nil)
		if got := x.list(); len(got) != 1 || got[0].URI != "skill://most/SKILL.md" || len(got[0].Resources) != skills.MaxFiles {
			t.Errorf("%d skills", len(got))
		}
		if _, err := x.get("skill://many/SKILL.md"); code(err) != jsonrpc.CodeInvalidParams || !strings.Contains(err.Error(), "512") {
			t.Errorf("the reason is not told: %v", err)
		}
	})
	rule("The resultType field MUST be set to complete, and ttlMs and cacheScope are REQUIRED", func(t *testing.T) {
		p, err := h.page("")
		must(t, err)
		g, err := h.get(s.URI)
		must(t, err)
		if p.ResultType != "complete" || g.ResultType != "complete" || p.CacheScope != "private" || g.CacheScope != "private" ||
			p.TTLMs <= 0 || g.TTLMs <= 0 {
			t.Errorf("%+v %+v", p, g)
		}
	})
	rule("The result MAY be empty", func(t *testing.T) {
		if p, err := connect(t, newLibrary(t), "codex", nil).page(""); err != nil || p.Skills == nil || len(p.Skills) != 0 {
			t.Errorf("%+v %v", p, err)
		}
	})
	rule("When the result includes nextCursor the client passes it back, and an entry is never split across pages", func(t *testing.T) {
		lib := newLibrary(t)
		for i := range 700 {
			b := bundle(t, fmt.Sprintf("skill-%03d", i), "", "references/a.md", "a")
			lib.approved[b.Name], lib.disk[b.Name] = b, b
		}
		x := connect(t, lib, "codex", nil)
		first, err := x.page("")
		must(t, err)
		if len(first.Skills) != 500 || first.NextCursor == "" {
			t.Errorf("%d", len(first.Skills))
		}
		lib.mu.Lock()
		delete(lib.approved, "skill-010") // already passed: the next page is not shifted
		lib.mu.Unlock()
		second, err := x.page(first.NextCursor)
		must(t, err)
		if !strings.Contains(string(second.Skills[0]), "skill-500") {
			t.Errorf("%s", second.Skills[0])
		}
		all := x.list()
		if len(all) != 699 || len(all[0].Resources) != 2 {
			t.Errorf("%d", len(all))
		}
		for _, bad := range []string{"x", "YWZ0ZXI", strings.Repeat("A", 5000)} {
			if _, err := x.page(bad); code(err) != jsonrpc.CodeInvalidParams {
				t.Errorf("cursor %.10q: %v", bad, err)
			}
		}
	})
	rule("If the URI does not identify a skill the server serves, the server MUST return error -32602", func(t *testing.T) {
		for _, uri := range []string{"", "skill://refunds", "skill://refunds/", "skill://refunds/references/GUIDE.md", "skill://nothing/SKILL.md",
			"skill://refunds/references/inner/SKILL.md", "https://refunds/SKILL.md", "SKILL.md"} {
			if _, err := h.get(uri); code(err) != jsonrpc.CodeInvalidParams {
				t.Errorf("%q: %v", uri, err)
			}
		}
	})
	rule("resources/read of a skill file the server does not serve returns -32602, with an informative message", func(t *testing.T) {
		_, err := h.cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "skill://refunds/references/none.md"})
		if code(err) != jsonrpc.CodeInvalidParams || !strings.Contains(err.Error(), "no such file") {
			t.Error(err)
		}
		_, err = h.cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "skill://refunds/policy.json"})
		if code(err) != jsonrpc.CodeInvalidParams {
			t.Errorf("what the host manages is served: %v", err)
		}
	})
	rule("Internal errors return -32603", func(t *testing.T) {
		broken := newLibrary(t)
		broken.broken = errors.New("disk")
		x := connect(t, broken, "codex", nil)
		if _, err := x.page(""); code(err) != jsonrpc.CodeInternalError || strings.Contains(err.Error(), "disk") {
			t.Error(err)
		}
		if _, err := x.get("skill://a/SKILL.md"); code(err) != jsonrpc.CodeInternalError {
			t.Error(err)
		}
	})
	rule("mimeType SHOULD be text/markdown, name and description SHOULD be set from the frontmatter", func(t *testing.T) {
		r, _, err := skills.New(l).For([]string{"codex"}).Resources(t.Context(), "")
		must(t, err)
		if r[0].Name != "refunds" || r[0].Description != "Process refunds: per policy" || r[0].MIMEType != "text/markdown" ||
			len(r[0].Meta) != 0 {
			t.Errorf("%+v", r[0])
		}
	})
	rule("A relative reference resolves against the skill's root", func(t *testing.T) {
		if !slices.Contains(uris, strings.TrimSuffix(s.URI, skill.Entry)+"references/GUIDE.md") {
			t.Error(uris)
		}
	})
}

// A client verifies every digest and every frontmatter of 50 skills.
func TestAHostVerifiesFiftySkills(t *testing.T) {
	t.Parallel()
	l := newLibrary(t)
	for i := range 50 {
		name := fmt.Sprintf("skill-%02d", i)
		b := bundle(t, name, "", "references/a.md", strings.Repeat("line\n", i), "scripts/run.sh", "#!/bin/sh\necho "+name+"\n", "assets/x.bin",
			string([]byte{0, byte(i), 255}))
		l.approved[name], l.disk[name] = b, b
	}
	h := connect(t, l, "codex", nil)
	all := h.list()
	files := 0
	for _, s := range all {
		if err := h.load(s); err != nil {
			t.Error(err)
		}
		files += len(s.Resources)
	}
	if len(all) != 50 || files != 200 {
		t.Errorf("%d skills, %d files", len(all), files)
	}
}
