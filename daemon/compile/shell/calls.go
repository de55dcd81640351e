package shell

import (
	"path"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/internal/plain"
)

var ControlWords = plain.Set("for while until if case select")

// ViewCommands are commands that only show the person where they are.
var ViewCommands = plain.Set(
	"ls ll la dir pwd clear history which type whoami man help exit logout tree reset less more cd pushd popd alias jobs fg bg")

// exitOneMeansNo are programs that exit with code 1 to say no: nothing was found, the files differ.
var exitOneMeansNo = plain.Set("grep egrep fgrep zgrep rg ag diff cmp comm test [ [[ pgrep pidof expr false git jq which type command")

// AnswersByFailing reports whether a command exited with code 1 only to say no.
func AnswersByFailing(c *capture.Command) bool { return c.Exit == 1 && exitOneMeansNo[ProgramOf(c)] }

// ProgramOr returns a command's program, or "a command" when the program is unknown or sealed.
func ProgramOr(c *capture.Command) string {
	if prog := ProgramOf(c); !strings.ContainsRune(prog, page.RefOpen) && prog != "" {
		return prog
	}
	return "a command"
}

// Call is one simple command of a line: its program and those arguments that need no expansion, flags included.
type Call struct {
	path    string // the program as written, with its folder
	Program string
	Args    []string
}

// displayName returns the name that people use for the command: "git commit" rather than "git", whose first argument names
// what it does.
func (c Call) displayName() string {
	if !WithSubcommand[c.Program] {
		return c.Program
	}
	for _, a := range c.Args {
		if strings.HasPrefix(a, "-") {
			continue
		}
		if strings.ContainsRune(a, page.RefOpen) || strings.ContainsAny(a, "./ ") {
			break
		}
		return c.Program + " " + a
	}
	return c.Program
}

// Looks reports whether this call of a program that can change things only shows something.
func (c Call) Looks() bool {
	if viewSubcommands[c.displayName()] {
		return true
	}
	switch c.Program {
	case "tar": // the first word is a bundle of flags, with or without a dash
		return len(c.Args) > 0 && (c.Args[0] == "--list" || !strings.HasPrefix(c.Args[0], "--") && strings.ContainsRune(c.Args[0], 't'))
	case "unzip":
		return slices.ContainsFunc(c.Args, func(a string) bool { return a == "-l" || a == "-t" || a == "-v" })
	case "crontab":
		return slices.Contains(c.Args, "-l")
	case "sed":
		return !slices.ContainsFunc(c.Args, func(a string) bool { return strings.HasPrefix(a, "-i") || strings.HasPrefix(a, "--in-place") })
	}
	return false
}

// viewSubcommands are the subcommands that only show something.
var viewSubcommands = func() map[string]bool {
	m := map[string]bool{}
	for program, subs := range map[string]string{
		"git":       "status log diff show blame grep describe rev-parse ls-files shortlog reflog help",
		"docker":    "ps images logs inspect stats version info",
		"kubectl":   "get describe logs top version explain",
		"npm":       "ls list view outdated search",
		"go":        "version list doc env vet help",
		"pip":       "list show freeze check",
		"apt":       "list search show",
		"brew":      "list info search",
		"systemctl": "status show list-units is-active",
	} {
		for sub := range strings.FieldsSeq(subs) {
			m[program+" "+sub] = true
		}
	}
	return m
}()

// DisplayName returns the program with its subcommand, if the line has one: "git commit".
func (l Line) DisplayName(program string) string {
	for _, c := range l.Calls {
		if c.Program == path.Base(program) {
			return c.displayName()
		}
	}
	return program
}

// printing are the programs that print the contents or size of a file.
var printing = plain.Set("cat head tail wc bat nl stat file du df column")

// OnlyLooks reports whether the first command of a line only shows something, so that its success proves nothing.
func (l Line) OnlyLooks() bool {
	return len(l.Calls) > 0 && !l.Opaque && len(l.Makes()) == 0 &&
		!slices.ContainsFunc(l.Calls[:1], func(c Call) bool { return !c.Looks() && !ViewCommands[c.Program] && !printing[c.Program] })
}

// DoneByCommand maps a command to the sentence that is true after it, where people have a better word than "finished".
var DoneByCommand = map[string]string{
	"git commit": "The commit is made", "git push": "The commits are pushed", "git merge": "The merge is done", "git tag": "The tag is set",
	"git pull": "The changes are fetched", "git clone": "The repository is cloned", "git init": "The repository is set up",
	"git add": "The files are staged",
}
