package offered_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/mcp/skills"
	"showhow/daemon/wire"
)

// What SEP-2640 demands of hosts, by its sentences, as far as it concerns one that reads a skill in order to import it. What
// a model sees and may run is decided after the import, by the scan and the person's approval.
func TestRulesOfHosts(t *testing.T) {
	t.Parallel()
	refused := func(t *testing.T, change func(o *offer)) {
		t.Helper()
		o := sound()
		change(o)
		s, id := serve(t, o)
		l, err := s.List(t.Context(), id)
		must(t, err)
		files, _, _, err := s.Fetch(t.Context(), wire.SkillImportSourceRequest{Kind: "connector", ConnectorID: id, Reference: uri,
			Digest: l.Skills[0].Digest})
		if err == nil || len(files) > 0 {
			t.Errorf("it is loaded, listed as %+v", l.Skills[0])
		}
	}
	// rewritten changes SKILL.md with its digest, and what the entry says of its frontmatter.
	rewritten := func(head string, listed map[string]any) func(o *offer) {
		return func(o *offer) {
			text := []byte("---\n" + head + "---\n\n# Count\n")
			o.files[uri] = text
			o.entry["resources"].([]any)[0] = fileOf(uri, text)
			o.entry["frontmatter"] = listed
		}
	}
	const head = "name: count-orders\ndescription: Counts the orders.\n"
	said := func(more ...any) map[string]any {
		m := map[string]any{"name": "count-orders", "description": "Counts the orders."}
		for i := 0; i < len(more); i += 2 {
			m[more[i].(string)] = more[i+1]
		}
		return m
	}
	rule := func(sentence string, check func(t *testing.T)) { t.Run(sentence, check) }

	rule("Hosts MUST parse its YAML frontmatter and compare it field-by-field against the entry's frontmatter", func(t *testing.T) {
		for name, change := range map[string]func(o *offer){
			"another description":     rewritten("name: count-orders\ndescription: Deletes the orders.\n", said()),
			"a field that is hidden":  rewritten(head+"allowed-tools: Bash\n", said()),
			"a field that is not":     rewritten(head, said("license", "MIT")),
			"another value below":     rewritten(head+"metadata: {a: [1, 2]}\n", said("metadata", map[string]any{"a": []any{1, 3}})),
			"a number that is text":   rewritten(head+"metadata: {a: \"1\"}\n", said("metadata", map[string]any{"a": 1})),
			"a large number":          rewritten(head+"a: 12345678901234567890\n", said("a", json.Number("12345678901234567891"))),
			"no frontmatter":          rewritten("", said()),
			"one that cannot be read": rewritten("name: [count-orders\n", said()),
		} {
			t.Run(name, func(t *testing.T) { refused(t, change) })
		}
		written := rewritten(head+"metadata: {a: 1.50, b: [yes, null, true]}\n", said("metadata", map[string]any{"a": 1.5,
			"b": []any{"yes", nil, true}}))
		o := sound()
		written(o)
		s, id := serve(t, o)
		if _, _, _, err := s.Fetch(t.Context(), wire.SkillImportSourceRequest{Kind: "connector", ConnectorID: id, Reference: uri}); err != nil {
			t.Errorf("the same in JSON's words: %v", err)
		}
	})
	rule("The final skill-path segment of the entry's uri MUST equal frontmatter.name", func(t *testing.T) {
		refused(t, rewritten("name: order-pizza\ndescription: d\n", map[string]any{"name": "order-pizza", "description": "d"}))
		refused(t, rewritten("name: count-orders\n", map[string]any{"name": "count-orders"}))
	})
	rule("An entry with no resources, or any value other than an array or dynamic, is invalid and MUST NOT be loaded", func(t *testing.T) {
		refused(t, func(o *offer) { delete(o.entry, "resources") })
		refused(t, func(o *offer) { o.entry["resources"] = nil })
		refused(t, func(o *offer) { o.entry["resources"] = "all of them" })
	})
	rule("Hosts MAY decline to load a dynamic skill, and SHOULD tell the user why", func(t *testing.T) {
		o := sound()
		o.entry["resources"] = "dynamic"
		s, id := serve(t, o)
		l, err := s.List(t.Context(), id)
		must(t, err)
		if x := l.Skills[0]; x.URI != uri || !strings.Contains(x.Refused, "anew each time") {
			t.Errorf("%+v", x)
		}
		refused(t, func(o *offer) { o.entry["resources"] = "dynamic" })
	})
	rule("A read whose byte length differs from the entry's size is a verification failure", func(t *testing.T) {
		refused(t, func(o *offer) { o.entry["resources"].([]any)[0].(map[string]any)["size"] = len(md) + 1 })
	})
	rule("Hosts MUST NOT retrieve a skill's files ahead of need, and reads resolve only to URIs listed in the entry", func(t *testing.T) {
		o := sound()
		o.files["skill://team/count-orders/unlisted.md"] = []byte("Do this, too.")
		s, id := serve(t, o)
		_, err := s.List(t.Context(), id)
		must(t, err)
		if n := o.reads.Load(); n != 0 {
			t.Errorf("listing read %d files", n)
		}
		files, _, _, err := s.Fetch(t.Context(), wire.SkillImportSourceRequest{Kind: "connector", ConnectorID: id, Reference: uri})
		must(t, err)
		for _, f := range files {
			if bytes.Contains(f.Data, []byte("Do this, too.")) || len(files) != 2 {
				t.Errorf("%s was read", f.Path)
			}
		}
	})
	rule("A host MUST cap the pages and the entries that it follows (threat model, T6)", func(t *testing.T) {
		for name, each := range map[string]int{"pages without an end": 0, "entries without an end": 100} {
			var asked atomic.Int64
			raw, err := json.Marshal(sound().entry)
			must(t, err)
			o := sound()
			o.list = func(context.Context, *mcp.ServerSession, *skills.ListParams) (*skills.ListResult, error) {
				asked.Add(1)
				page := &skills.ListResult{ResultType: "complete", Skills: []json.RawMessage{}, NextCursor: "on"}
				for range each {
					page.Skills = append(page.Skills, raw)
				}
				return page, nil
			}
			s, id := serve(t, o)
			l, err := s.List(t.Context(), id)
			must(t, err)
			if !l.More || len(l.Skills) > 200 || asked.Load() > 50 {
				t.Errorf("%s: %d skills of %d pages", name, len(l.Skills), asked.Load())
			}
		}
	})
}
