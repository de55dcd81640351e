package process

import (
	"path"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/internal/lazyre"
)

// maxComm is how much of a file's name the kernel keeps as the process's name.
const maxComm = 15

// names are what a person may call the program, in lower case, best first: a script's own name, then its
// interpreter's; the name by which a program was called, then its file's. A shell script is not its shell.
func (i *image) names() []string {
	var out []string
	add := func(name string) {
		if name = appName(name); name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	called := base(strings.TrimPrefix(i.arg(0), "-"))
	switch at := i.script(); {
	case at > 0:
		add(base(i.argv[at]))
		if !shells[appName(called)] {
			add(called)
		}
		return out
	case strings.HasPrefix(i.arg(0), "/proc/"): // a program that starts itself again
	case i.comm == "" || i.comm == cutComm(called):
		add(called)
	}
	file := base(i.exe)
	if parts := strings.Split(slashed(i.exe), "/"); len(parts) > 3 && parts[1] == "snap" {
		add(parts[2])
	} else if n := slices.IndexFunc(parts, func(s string) bool { return strings.HasSuffix(s, ".app") }); n > 0 && n < len(parts)-1 {
		add(parts[n])
	}
	if called == "flatpak" && i.arg(1) == "run" {
		add(flatpakApp(i.argv[2:]))
	}
	add(file)
	if len(out) == 0 {
		add(i.comm)
	}
	for _, n := range slices.Clone(out) {
		add(aliases[n])
	}
	return out
}

// aliases are the common names of programs that distributions name otherwise.
var aliases = map[string]string{"firefox-esr": "firefox", "firefox-bin": "firefox", "chromium-browser": "chromium",
	"google-chrome-stable": "google-chrome", "brave-browser": "brave", "microsoft-edge-stable": "microsoft-edge",
	"soffice.bin": "libreoffice", "soffice": "libreoffice", "x-www-browser": "browser", "vim.basic": "vim", "code-oss": "code"}

func (i *image) arg(n int) string {
	if n < len(i.argv) {
		return i.argv[n]
	}
	return ""
}

// script returns the position in argv of a script that was executed by its own name, or 0. The kernel names such a
// process after the script, while file and first argument are the interpreter's.
func (i *image) script() int {
	if i.comm == "" || i.comm == cutComm(base(i.arg(0))) || i.comm == cutComm(base(i.exe)) {
		return 0
	}
	for n := 1; n < min(len(i.argv), 4); n++ {
		if cutComm(base(i.argv[n])) == i.comm {
			return n
		}
	}
	return 0
}

func cutComm(s string) string { return s[:min(len(s), maxComm)] }

func slashed(s string) string { return strings.ReplaceAll(s, `\`, "/") }

func base(file string) string {
	if file == "" {
		return ""
	}
	return path.Base(slashed(file))
}

func flatpakApp(args []string) string {
	for _, a := range args {
		if !strings.HasPrefix(a, "-") {
			return a[strings.LastIndexByte(a, '.')+1:]
		}
	}
	return ""
}

var appImageRE = lazyre.New(`^(.+?)(?:[-_.]v?\d[^/]*|[-_](?:x86_64|amd64|aarch64|arm64|linux)[^/]*)?\.appimage$`)

// appName is a file's name as a scope writes apps.
func appName(s string) string {
	s = strings.ToLower(strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " "))
	if m := appImageRE.FindStringSubmatch(s); m != nil {
		s = m[1]
	}
	for _, ext := range []string{".exe", ".app"} {
		if cut := strings.TrimSuffix(s, ext); cut != "" {
			s = cut
		}
	}
	if s == "." || s == "/" || len(s) > 80 {
		return ""
	}
	return s
}

// match is the name by which the scope names the program, "" if it does not. If only the kernel's short name is
// known, a longer name of the scope is compared up to that length.
func match(scope capture.Scope, i *image, names []string) string {
	for _, n := range names {
		if slices.Contains(scope.Apps, n) {
			return n
		}
	}
	if len(i.argv) == 0 && i.exe == "" && len(i.comm) == maxComm {
		for _, a := range scope.Apps {
			if cutComm(a) == strings.ToLower(i.comm) {
				return a
			}
		}
	}
	return ""
}
