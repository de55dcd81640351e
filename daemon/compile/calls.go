package compile

import (
	"path"
	"slices"
	"strings"
)

// shellCall is one simple command of a line: its program and those arguments that hold no expansion, flags included.
type shellCall struct {
	path    string // the program as it is written
	program string
	args    []string
}

// shown is what a person calls the command: "git commit" rather than "git", whose first argument names what it does.
func (c shellCall) shown() string {
	if !withSubcommand[c.program] {
		return c.program
	}
	for _, a := range c.args {
		if strings.HasPrefix(a, "-") {
			continue
		}
		if strings.ContainsRune(a, refOpen) || strings.ContainsAny(a, "./ ") {
			break
		}
		return c.program + " " + a
	}
	return c.program
}

// looks reports whether a command of a program that can change things only shows something this time.
func (c shellCall) looks() bool {
	if lookingAt[c.shown()] {
		return true
	}
	switch c.program {
	case "tar": // the first word is a bundle of flags, with or without a dash
		return len(c.args) > 0 && (c.args[0] == "--list" || !strings.HasPrefix(c.args[0], "--") && strings.ContainsRune(c.args[0], 't'))
	case "unzip":
		return slices.ContainsFunc(c.args, func(a string) bool { return a == "-l" || a == "-t" || a == "-v" })
	case "crontab":
		return slices.Contains(c.args, "-l")
	case "sed":
		return !slices.ContainsFunc(c.args, func(a string) bool { return strings.HasPrefix(a, "-i") || strings.HasPrefix(a, "--in-place") })
	}
	return false
}

// lookingAt are subcommands that only show something.
var lookingAt = func() map[string]bool {
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

// shown names the program that a line is about, with its subcommand when it has one.
func (l shellLine) shown(program string) string {
	for _, c := range l.calls {
		if c.program == path.Base(program) {
			return c.shown()
		}
	}
	return program
}

// showing are programs that show what a file holds.
var showing = set("cat head tail wc bat nl stat file du df column")

// onlyLooks reports whether all that a line does is to show what is there, so that its end proves nothing.
func (l shellLine) onlyLooks() bool {
	return len(l.calls) > 0 && !l.opaque && len(l.makes()) == 0 &&
		!slices.ContainsFunc(l.calls[:1], func(c shellCall) bool { return !c.looks() && !looking[c.program] && !showing[c.program] })
}

// doneByCommand is what is true after a command of this kind, where people have a better word than that it has finished.
var doneByCommand = map[string]string{
	"git commit": "The commit is made", "git push": "The commits are pushed", "git merge": "The merge is done", "git tag": "The tag is set",
	"git pull": "The changes are fetched", "git clone": "The repository is cloned", "git init": "The repository is set up", "git add": "The files are staged",
}
