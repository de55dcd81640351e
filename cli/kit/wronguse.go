package kit

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"showhow/internal/fault"
)

// Flag groups as cobra marks them on each member: the value lists the group's flags. Cobra does not export these names; a
// test marks a command through its API.
const (
	together  = "cobra_annotation_required_if_others_set"
	oneOf     = "cobra_annotation_one_required"
	exclusive = "cobra_annotation_mutually_exclusive"
)

// wrongUse is what is wrong with the arguments and flags of a call, in our words, nil if nothing is: it answers before
// cobra's own checks, which know no code and no advice.
func wrongUse(cmd *cobra.Command, args []string, form cobra.PositionalArgs) error {
	if err := form(cmd, args); err != nil {
		var f *fault.Error
		if errors.As(err, &f) {
			return err
		}
		if err := Arity(cmd, args); err != nil { // the use line names what is missing
			return err
		}
		return fault.Wrap(err, fault.Usage, "the arguments are not what `"+cmd.CommandPath()+"` takes").WithHint("usage: " + UseLine(cmd))
	}
	var missing []string
	groups := map[string][]string{}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if slices.Contains(f.Annotations[cobra.BashCompOneRequiredFlag], "true") && !f.Changed {
			missing = append(missing, "--"+f.Name)
		}
		for _, kind := range []string{together, oneOf, exclusive} {
			for _, group := range f.Annotations[kind] {
				if !slices.Contains(groups[kind], group) {
					groups[kind] = append(groups[kind], group)
				}
			}
		}
	})
	if len(missing) > 0 {
		return Usage("%s %s missing", strings.Join(missing, " and "), oneOrMany(missing, "is", "are"))
	}
	for _, kind := range []string{together, oneOf, exclusive} {
		for _, group := range groups[kind] {
			if err := wrongGroup(cmd, kind, strings.Fields(group)); err != nil {
				return err
			}
		}
	}
	return nil
}

func wrongGroup(cmd *cobra.Command, kind string, group []string) error {
	var given, absent []string
	for _, name := range group {
		if cmd.Flags().Changed(name) {
			given = append(given, "--"+name)
		} else {
			absent = append(absent, "--"+name)
		}
	}
	switch {
	case kind == together && len(given) > 0 && len(absent) > 0:
		return Usage("%s %s %s", strings.Join(given, " and "), oneOrMany(given, "needs", "need"), strings.Join(absent, " and "))
	case kind == oneOf && len(given) == 0:
		return Usage("one of %s is needed", strings.Join(absent, ", "))
	case kind == exclusive && len(given) > 1:
		return Usage("%s exclude each other: use one of them", strings.Join(given, " and "))
	}
	return nil
}

// oneOrMany is the verb that goes with so many names.
func oneOrMany(names []string, one, many string) string {
	if len(names) == 1 {
		return one
	}
	return many
}

// advised adds a hint to usage errors that have none.
func advised(cmd *cobra.Command, err error) error {
	var f *fault.Error
	if errors.As(err, &f) && f.Code == fault.Usage && f.Hint == "" {
		f.Hint = "see `" + cmd.CommandPath() + " --help`"
	}
	return err
}

// WrongFlag says in our words what the flag parser refused.
func WrongFlag(cmd *cobra.Command, err error) error {
	f := fault.Wrap(err, fault.Usage, "the flags cannot be read")
	var unknown *pflag.NotExistError
	var bare *pflag.ValueRequiredError
	var wrong *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		f.Message = "`" + cmd.CommandPath() + "` has no flag -" + unknown.GetSpecifiedName()
	case errors.As(err, &unknown):
		f.Message = "`" + cmd.CommandPath() + "` has no flag --" + unknown.GetSpecifiedName()
		if name := likelyFlag(cmd, unknown.GetSpecifiedName()); name != "" {
			f.Hint = "did you mean --" + name + "?"
		}
	case errors.As(err, &bare):
		f.Message = "the value of --" + bare.GetFlag().Name + " is missing"
	case errors.As(err, &wrong):
		f.Message = "--" + wrong.GetFlag().Name + " " + wants(wrong)
	}
	return advised(cmd, f)
}

// wants is what a flag's value must be: by its type, or in the words of the type if it is ours.
func wants(wrong *pflag.InvalidValueError) string {
	var number *strconv.NumError
	switch kind := wrong.GetFlag().Value.Type(); {
	case kind == "bool", errors.As(wrong, &number) && number.Func == "ParseBool":
		return "takes true or false"
	case kind == "duration":
		return "takes a duration, such as 90s, 15m or 2h"
	case strings.HasPrefix(kind, "float"):
		return "takes a number"
	case strings.HasPrefix(kind, "int"), strings.HasPrefix(kind, "uint"), kind == "count":
		return "takes a whole number within range"
	}
	return "cannot have this value: " + wrong.Unwrap().Error()
}

// elsewhere maps words that people look for to the actual command.
var elsewhere = map[string]string{"stop": "learn stop", "start": "learn start", "find": "ability lookup", "search": "ability lookup",
	"install": "proposal install",
	"propose": "learn propose", "answer": "learn answer", "validate": "proposal validate", "rehearse": "proposal rehearse",
	"import": "skill import", "scan": "skill scan"}

// likelyFlag is the flag that an unknown one was probably meant to be, "" if none is similar.
func likelyFlag(cmd *cobra.Command, word string) string {
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
