package strict

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// For any input: no panic; accepted input means the same to encoding/json read strictly; refused input gets a code and
// is not echoed.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{`{}`, `{"entry_mode":"demonstrating_skill"}`, `{"entry_mode":"demonstrating_skill","ENTRY_MODE":"x"}`,
		`{"entry_mode":"demonstrating_skill","entry_mode":"coaching_agent"}`, `{"entry_mode":"demonstrating_skill","goal":"😀"}`, `[[[[]]]]`,
		`nul`,
		`{"entry_mode":"demonstrating_skill","scope":{"apps":["a"],"sites":[],"folders":[],"shells":[],"devices":[]}}`,
		`{"entry_mode":"demonstrating_skill","retain":1e400}`,
		`{"entry_mode":"demonstrating_skill"}x`, "{\"entry_mode\":\"\xff\"}", `{"entry_mode":"demonstrating_skill","goal":"\ud800"}`} {
		f.Add([]byte(seed))
	}
	reg := huma.NewMapRegistry("#/", huma.DefaultSchemaNamer)
	schema := reg.Schema(reflect.TypeFor[wire.CreateLearnSessionRequest](), true, "")
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := Parse(data)
		if err != nil {
			if !fault.Is(err, fault.MalformedJSON) {
				t.Fatal(err)
			}
			return
		}
		if !utf8.Valid(data) || !json.Valid(data) {
			t.Fatal("accepted what is no JSON")
		}
		c := &Checker{Schemas: reg}
		c.Check(schema, "body", v)
		if err := c.Err(); err != nil {
			b, _ := json.Marshal(fault.From(err).Details)
			for word := range strings.FieldsSeq(string(data)) {
				if len(word) > 30 && bytes.Contains(b, []byte(word)) {
					t.Fatalf("the refusal repeats %q", word)
				}
			}
			return
		}
		var r wire.CreateLearnSessionRequest
		if err := Convert(v, &r); err != nil {
			t.Fatalf("valid for the schema, not for the type: %v", err)
		}
		var loose wire.CreateLearnSessionRequest
		if err := json.Unmarshal(data, &loose); err != nil || loose.EntryMode != r.EntryMode || loose.Goal != r.Goal {
			t.Fatalf("two readings: %+v and %+v (%v)", r, loose, err)
		}
	})
}

func FuzzUTF16Length(f *testing.F) {
	for _, s := range []string{"", "a", "é", "😀", "\xff", "\u2028"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := UTF16Len(s), len(utf16.Encode([]rune(s))); got != want {
			t.Fatalf("%d, want %d", got, want)
		}
	})
}
