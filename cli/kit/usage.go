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
// that an unknown word is an error, not a request for help. It also checks the required flags and the groups of flags,
// so that wrong use is answered in one form (wronguse.go).
func (e *Env) Finish(cmd *cobra.Command) {
	cmd.InitDefaultHelpFlag()
	cmd.Flags().Lookup("help").Hidden = true // every command has it, and says so at its end
	switch {
	case cmd.Name() == "help" && cmd.Parent() == cmd.Root():
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if at, rest, _ := cmd.Root().Find(args); len(rest) > 0 {
				return unknownCommand(at, rest[0])
			}
			return nil
		}
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
	form := cmd.Args
	cmd.Args = func(cmd *cobra.Command, args []string) error { return advised(cmd, wrongUse(cmd, args, form)) }
	if run := cmd.RunE; run != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			e.running = cmd
			return advised(cmd, run(cmd, args))
		}
	}
	for _, sub := range cmd.Commands() {
		e.Finish(sub)
	}
}

// arguments are the names in a use line: `trim start|end EVENT`, `show [ID]`, `lookup QUERY...`, `practice GOAL [-- COMMAND...]`.
func arguments(cmd *cobra.Command) (required, optional []string, variadic bool) {
	inside := false
	for _, a := range strings.Fields(cmd.Use)[1:] {
		inside = inside || strings.HasPrefix(a, "[")
		name := strings.Trim(a, "[].") // [GOAL]... or [GOAL...]
		variadic = variadic || strings.Contains(a, "...")
		switch {
		case name == "--":
		case inside:
			optional = append(optional, name)
		default:
			required = append(required, name)
		}
		inside = inside && !strings.Contains(a, "]")
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

// UseLine is `showhow learn trim start|end EVENT [flags]`. Of a command that has arguments of its own, its commands are listed
// below the line.
func UseLine(cmd *cobra.Command) string {
	line := cmd.CommandPath()
	if _, args, ok := strings.Cut(cmd.Use, " "); ok {
		line += " " + args
	} else if cmd.HasAvailableSubCommands() {
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
