package kit

import (
	"bytes"
	"cmp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"showhow/internal/fault"
)

// What the API refuses is named as the user knows it: by the running command's flag or argument, never by its place on
// the wire.
func TestRefusedFieldsAreNamedAsTheUserKnowsThem(t *testing.T) {
	for _, c := range []struct {
		path, rule string
		limit      any
		says       string
		arguments  string // of the command; "": BINDER [PAGE]...
	}{
		{"body.paper_size", "enum", []any{"a4", "letter"}, "--size must be one of a4, letter", ""},
		{"body.layout.most_columns", "maximum", 12, "--most-columns is more than 12", ""},
		{"body.shown[3]", "min_length", 1, "the value of shown is empty or too short", ""},
		{"path.binderId", "format", "uuid", "BINDER does not have the form of an id: the lists show ids", ""},
		{"path.pageId", "format", "uuid", "PAGE does not have the form of an id: the lists show ids", ""},
		{"path.shelf", "pattern", "^b", "the value of shelf must look like ^b", ""},
		{"path.shelf", "pattern", "^b", "PLACE must look like ^b", "PLACE"},
		{"query.sortOrder", "repeated", nil, "the value of sort order is refused: repeated", ""},
		{"body", "type", "object", "the request is not a valid object", ""},
	} {
		var out bytes.Buffer
		e := &Env{ErrOut: &out}
		cmd := &cobra.Command{Use: "bind " + cmp.Or(c.arguments, "BINDER [PAGE]..."), RunE: func(*cobra.Command, []string) error {
			return fault.New(fault.InvalidRequest, "the request breaks a rule").WithDetail("violations",
				[]any{map[string]any{"path": c.path, "rule": c.rule, "limit": c.limit}})
		}}
		cmd.Flags().String("size", "a4", "")
		cmd.Flags().Int("most-columns", 3, "")
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		e.Finish(cmd)
		cmd.SetArgs([]string{"b1"})
		e.Fail(e.AsFault(cmd.Execute()))
		if first, _, _ := strings.Cut(out.String(), "\n"); first != "showhow: "+c.says+" (INVALID_REQUEST)" {
			t.Errorf("%s: %s", c.path, first)
		}
	}
}
