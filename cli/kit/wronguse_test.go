package kit

import (
	"bytes"
	"testing"

	"github.com/spf13/cobra"
)

// Each kind of group that cobra can mark is refused in our words; cobra's own check would answer in its.
func TestGroupsOfFlagsAreNamed(t *testing.T) {
	for _, c := range []struct {
		mark func(*cobra.Command, ...string)
		args []string
		says string
	}{
		{(*cobra.Command).MarkFlagsRequiredTogether, []string{"--ink=blue"}, "--ink needs --nib and --paper"},
		{(*cobra.Command).MarkFlagsRequiredTogether, []string{"--ink=blue", "--nib=fine"}, "--ink and --nib need --paper"},
		{(*cobra.Command).MarkFlagsOneRequired, nil, "one of --ink, --nib, --paper is needed"},
		{(*cobra.Command).MarkFlagsMutuallyExclusive, []string{"--paper=a4", "--ink=red"},
			"--ink and --paper exclude each other: use one of them"},
	} {
		var out bytes.Buffer
		e := &Env{ErrOut: &out}
		cmd := &cobra.Command{Use: "write", SilenceErrors: true, SilenceUsage: true, RunE: func(*cobra.Command, []string) error {
			t.Errorf("it ran with %q", c.args)
			return nil
		}}
		for _, name := range []string{"ink", "nib", "paper"} {
			cmd.Flags().String(name, "", "")
		}
		c.mark(cmd, "ink", "nib", "paper")
		e.Finish(cmd)
		cmd.SetArgs(append([]string{}, c.args...))
		e.Fail(e.AsFault(cmd.Execute()))
		if want := "showhow: " + c.says + " (USAGE)\n  see `write --help`\n"; out.String() != want {
			t.Errorf("%q:\n%swant:\n%s", c.args, out.String(), want)
		}
	}
}
