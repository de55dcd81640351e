package kit

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Finish gives every command of the tree what follows from its use line: how many arguments it takes, and for a group
// that an unknown word is an error, not a request for help.
func (e *Env) Finish(cmd *cobra.Command) {
	cmd.InitDefaultHelpFlag()
	cmd.Flags().Lookup("help").Hidden = true // every command has it, and says so at its end
	switch {
	case cmd.HasSubCommands() && !cmd.Runnable():
		cmd.Args = cobra.ArbitraryArgs
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return unknownCommand(cmd, args[0])
		}
	case cmd.HasSubCommands() && cmd.Args == nil:
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return unknownCommand(cmd, args[0])
		}
	case cmd.Args == nil:
		cmd.Args = Arity
	}
	if run := cmd.RunE; run != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			e.started = true // what fails from now on is not the arguments' form
			return run(cmd, args)
		}
	}
	for _, sub := range cmd.Commands() {
		e.Finish(sub)
	}
}

// elsewhere maps words that people look for to the actual command.
var elsewhere = map[string]string{"stop": "learn stop", "start": "learn start", "find": "ability lookup", "search": "ability lookup",
	"install": "proposal install",
	"propose": "learn propose", "answer": "learn answer", "validate": "proposal validate", "rehearse": "proposal rehearse",
	"import": "skill import", "scan": "skill scan"}

// LikelyFlag is the flag that an unknown one was probably meant to be, "" if none is similar.
func LikelyFlag(cmd *cobra.Command, err error) string {
	_, word, ok := strings.Cut(err.Error(), "unknown flag: --")
	if !ok {
		return ""
	}
	best, near := "", 3
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		d := distance(word, f.Name)
		if f.Hidden || d >= near && !strings.HasPrefix(f.Name, word) {
			return
		}
		best, near = f.Name, min(d, near)
	})
	return best
}

// distance is how many letters must be changed, added or removed to turn a into b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

func unknownCommand(cmd *cobra.Command, word string) error {
	f := Usage("there is no command %q", cmd.CommandPath()+" "+word).WithHint("see `" + cmd.CommandPath() + " --help`")
	cmd.SuggestionsMinimumDistance = 2
	if s := cmd.SuggestionsFor(word); len(s) > 0 {
		f.Hint = "did you mean `" + cmd.CommandPath() + " " + strings.Join(s, "` or `"+cmd.CommandPath()+" ") + "`?"
	} else if to := elsewhere[word]; to != "" && !cmd.HasParent() {
		f.Hint = "did you mean `showhow " + to + "`?"
	}
	return f
}

// arguments are the names in a use line: `trim start|end EVENT`, `show [ID]`, `lookup QUERY...`.
func arguments(cmd *cobra.Command) (required, optional []string, variadic bool) {
	for _, a := range strings.Fields(cmd.Use)[1:] {
		name := strings.TrimSuffix(a, "...")
		variadic = variadic || name != a
		if strings.HasPrefix(name, "[") {
			optional = append(optional, strings.Trim(name, "[]"))
		} else {
			required = append(required, name)
		}
	}
	return required, optional, variadic
}

// Arity refuses too few or too many arguments, naming them.
func Arity(cmd *cobra.Command, args []string) error {
	required, optional, variadic := arguments(cmd)
	hint := "usage: " + UseLine(cmd)
	switch {
	case len(args) < len(required):
		return Usage("%s is missing", strings.Join(required[len(args):], " and ")).WithHint(hint)
	case !variadic && len(args) > len(required)+len(optional):
		if len(required)+len(optional) == 0 {
			return Usage("`%s` takes no arguments", cmd.CommandPath()).WithHint(hint)
		}
		return Usage("there are too many arguments; quote what has spaces").WithHint(hint)
	}
	return nil
}

// UseLine is `showhow learn trim start|end EVENT [flags]`.
func UseLine(cmd *cobra.Command) string {
	line := cmd.CommandPath()
	if _, args, ok := strings.Cut(cmd.Use, " "); ok {
		line += " " + args
	}
	if cmd.HasAvailableSubCommands() {
		line += " COMMAND"
	}
	if cmd.HasAvailableLocalFlags() {
		line += " [flags]"
	}
	return line
}

// WriteUsage prints a command's help except its long text.
func WriteUsage(cmd *cobra.Command) error {
	w := cmd.OutOrStderr()
	fmt.Fprintf(w, "Usage:\n  %s\n", UseLine(cmd))
	if len(cmd.Aliases) > 0 {
		fmt.Fprintf(w, "\nAlso called:\n  %s\n", strings.Join(cmd.Aliases, ", "))
	}
	if cmd.Example != "" {
		fmt.Fprintf(w, "\nExamples:\n%s\n", cmd.Example)
	}
	for _, g := range cmd.Groups() {
		writeCommands(w, g.Title, cmd, g.ID)
	}
	writeCommands(w, "Commands", cmd, "")
	if f := cmd.LocalFlags(); f.HasAvailableFlags() && cmd.HasParent() {
		fmt.Fprintf(w, "\nFlags:\n%s", flagText(f))
	}
	if f := globalFlags(cmd); f.HasAvailableFlags() {
		fmt.Fprintf(w, "\nFlags of every command here:\n%s", flagText(f))
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\n%s COMMAND --help says more, with examples.\n", cmd.CommandPath())
	}
	return nil
}

// globalFlags are the flags that a command inherits; the root's own count as such.
func globalFlags(cmd *cobra.Command) *pflag.FlagSet {
	if !cmd.HasParent() {
		return cmd.LocalFlags()
	}
	return cmd.InheritedFlags()
}

func flagText(f *pflag.FlagSet) string { return f.FlagUsagesWrapped(110) }

func writeCommands(w io.Writer, title string, cmd *cobra.Command, id string) {
	subs := slices.DeleteFunc(slices.Clone(cmd.Commands()), func(c *cobra.Command) bool { return c.GroupID != id || !c.IsAvailableCommand() })
	if len(subs) == 0 {
		return
	}
	width := 0
	for _, c := range cmd.Commands() {
		width = max(width, len(c.Name()))
	}
	fmt.Fprintf(w, "\n%s:\n", title)
	for _, c := range subs {
		fmt.Fprintf(w, "  %-*s  %s\n", width, c.Name(), c.Short)
	}
}

// choice is a flag that accepts one of a few words.
type choice struct {
	value   *string
	allowed []string
}

func (c choice) String() string { return *c.value }
func (c choice) Type() string   { return "word" }
func (c choice) Set(s string) error {
	if !slices.Contains(c.allowed, s) {
		return fmt.Errorf("it must be one of %s", strings.Join(c.allowed, ", "))
	}
	*c.value = s
	return nil
}

// Choose adds a flag that accepts one of a few words, refuses others at once and completes them.
func Choose(cmd *cobra.Command, p *string, name, byDefault, text string, allowed ...string) {
	*p = byDefault
	cmd.Flags().Var(choice{p, allowed}, name, text)
	Complete(cmd, name, allowed...)
}

// Complete offers fixed words for a flag.
func Complete(cmd *cobra.Command, flag string, words ...string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // no such flag: a mistake in this package
	}
}
