package terminal

import (
	"os"
	"path/filepath"
	"regexp"
	"showhow/internal/lazyre"
	"strconv"
	"strings"
)

// Proof is the result of trying one shell.
type Proof struct {
	Shell  string
	State  ProofState
	Detail string
	Fix    string
}

// ProofState is the state of a shell.
type ProofState string

const (
	Proven       ProofState = "proven"        // a hidden shell was captured, and the start-up file loads the hook
	NoHookLine   ProofState = "no_hook_line"  // a hidden shell was captured; the person's own shells do not load the hook
	NotInstalled ProofState = "not_installed" //
	TooOld       ProofState = "too_old"       //
	NoMemoryFile ProofState = "no_memory_fs"  // fish, and no tmpfs to write to
	NotProven    ProofState = "not_proven"    // the hook was loaded and the command did not arrive
)

// ProofOptions say whose shells to try.
type ProofOptions struct {
	Options
	Home   string              // where the start-up files are
	Getenv func(string) string // for ZDOTDIR, XDG_CONFIG_HOME, SHELL
}

// oldest is the first version of each shell in which the hook works.
var oldest = map[string][2]int{"bash": {5, 1}, "zsh": {5, 3}, "fish": {3, 4}}

var version = lazyre.New(`(?:version|zsh) (\d+)\.(\d+)`)

// tooOld parses the output of `SHELL --version` and returns the version if it is too old for the hook.
func tooOld(shell, says string) (string, bool) {
	m := version.FindStringSubmatch(says)
	if m == nil {
		return "", false // let it be tried
	}
	major, _ := strconv.Atoi(m[1])
	minor, _ := strconv.Atoi(m[2])
	least := oldest[shell]
	return m[1] + "." + m[2], major < least[0] || major == least[0] && minor < least[1]
}

// startFiles are the files in which a person loads a hook, the usual one first.
func startFiles(shell, home string, getenv func(string) string) []string {
	in := func(dir string, names ...string) (out []string) {
		for _, n := range names {
			out = append(out, filepath.Join(dir, n))
		}
		return out
	}
	switch shell {
	case "bash":
		return in(home, ".bashrc", ".bash_profile", ".bash_login", ".profile", ".bash_aliases")
	case "zsh":
		dir := getenv("ZDOTDIR")
		if !filepath.IsAbs(dir) {
			dir = home
		}
		return in(dir, ".zshrc", ".zshenv", ".zprofile", ".zlogin")
	}
	dir := getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(home, ".config")
	}
	dir = filepath.Join(dir, "fish")
	more, _ := filepath.Glob(filepath.Join(dir, "conf.d", "*.fish"))
	return append(in(dir, "config.fish"), more...)
}

// loads reports whether one of the start-up files evaluates the hook.
func loads(shell string, files []string) bool {
	line := regexp.MustCompile(`(?m)^[^#\n]*\bshell-init\s+` + shell + `\b`)
	for _, f := range files {
		fi, err := os.Stat(f)
		if err != nil || !fi.Mode().IsRegular() || fi.Size() > 1<<20 {
			continue
		}
		if data, err := os.ReadFile(f); err == nil && line.Match(data) {
			return true
		}
	}
	return false
}

// addLine is the command that adds the hook to the usual start-up file.
func addLine(shell, home string, files []string) string {
	file := files[0]
	if rest, ok := strings.CutPrefix(file, home+string(filepath.Separator)); ok {
		file = "~/" + filepath.ToSlash(rest)
	}
	return "run `echo " + quotePOSIX(Line(shell)) + " >> " + file + "` and open a new shell"
}
