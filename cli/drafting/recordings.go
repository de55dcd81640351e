package drafting

import (
	"context"
	"fmt"
	"io"
	"os"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/internal/fault"
)

// maxRecording is the daemon's limit.
const maxRecording = 900 << 10

func importCommand(e *env) *cobra.Command {
	var r client.RecordingRequest
	cmd := kit.With(e.Call("import FILE",
		"Learn from a recording made elsewhere: Chrome DevTools Recorder (JSON) or Playwright codegen (JSONL)",
		func(ctx context.Context, c *client.Client, args []string) error {
			content, err := readRecording(args[0])
			if err != nil {
				return err
			}
			r.Content = content
			out, err := c.ImportRecording(ctx, r)
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.SaySession(out.Session)
				for _, l := range out.LeftOut {
					e.Say("left out: %s", e.Wrap(10, l))
				}
			})
		}), "showhow learn import recording.json", `showhow learn import codegen.jsonl --goal "Change an order" --site shop.example`)
	cmd.Long = `The file is untrusted: nothing in it is run, and it passes the same scope and redaction as what is shown here.
Waits for JavaScript expressions and steps that only the recording program knows are left out, and said to be.`
	cmd.Args = cobra.ExactArgs(1)
	cmd.Flags().StringVar(&r.Goal, "goal", "", "what it is `for` (default: the recording's title)")
	cmd.Flags().StringArrayVar(&r.Sites, "site", nil, "only what was done on this `host` (default: every site of the recording)")
	cmd.Flags().StringVar(&r.ExampleOf, "example-of", "", "the `session` whose second example it is")
	return cmd
}

// readRecording reads a file, or standard input for "-".
func readRecording(name string) (string, error) {
	f := os.Stdin
	if name != "-" {
		var err error
		if f, err = os.Open(name); err != nil {
			return "", fault.Wrap(err, fault.NotFound,
				"the recording cannot be opened").WithHint("name a file that you may read, or - for standard input")
		}
		defer f.Close()
	}
	b, err := io.ReadAll(io.LimitReader(f, maxRecording+1))
	if err != nil {
		return "", fault.Wrap(err, fault.NotFound, "the recording cannot be read")
	}
	switch {
	case len(b) == 0:
		err = fault.New(fault.InvalidRequest, "the recording is empty")
	case len(b) > maxRecording:
		err = fault.Newf(fault.TooLarge, "the recording is larger than %d KB",
			maxRecording>>10).WithHint("record the work in several parts; each can be imported")
	case !utf8.Valid(b):
		err = fault.New(fault.InvalidRequest, "the recording is no text in UTF-8").WithHint(
			"export from Chrome's Recorder as JSON, or run `playwright codegen --target=jsonl`")
	}
	return string(b), err
}

func exportCommand(e *env) *cobra.Command {
	var r client.ExportRequest
	var out string
	var set []string
	cmd := kit.With(e.onProposal("export [ID]", "Write the browser part for a player elsewhere",
		func(ctx context.Context, c *client.Client, id string) error {
			r.Values = map[string]string{}
			if err := eachSet(set, func(name, value string) { r.Values[name] = value }); err != nil {
				return err
			}
			x, err := c.ExportProposal(ctx, id, r)
			if err != nil {
				return err
			}
			for _, n := range x.Notes {
				e.Note("%s", n)
			}
			if out != "" {
				if err := os.WriteFile(out, []byte(x.Content), 0o600); err != nil {
					return fault.Wrap(err, fault.NotFound, "the file cannot be written")
				}
				return e.Show(func() { e.Say("written: %s", out) })
			}
			return e.Show(func() { fmt.Fprint(e.Out, x.Content) })
		}), "showhow proposal export --format devtools --out change-order.json", "showhow proposal export --format playwright --set order=A-1042")
	cmd.Flags().StringVarP(&out, "out", "o", "", "`file` to write (default: standard output)")
	cmd.Flags().StringArrayVar(&set, "set", nil, "a value for an input: `NAME=VALUE`; the formats have no inputs")
	kit.Choose(cmd, &r.Format, "format", "devtools", "whose format", "devtools", "playwright")
	return cmd
}
