package process

import (
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"

	"showhow/capture"
)

func TestNames(t *testing.T) {
	for _, c := range []struct {
		image
		want string
	}{
		{image{argv: []string{"python3", "script.py"}, exe: "/usr/bin/python3.11", comm: "python3"}, "python3 python3.11"},
		{image{argv: []string{"/bin/bash", "./deploy.sh", "prod"}, exe: "/usr/bin/bash", comm: "deploy.sh"}, "deploy.sh"},
		{image{argv: []string{"/usr/bin/python3", "/usr/bin/pip", "list"}, exe: "/usr/bin/python3.11", comm: "pip"}, "pip python3"},
		{image{argv: []string{"/usr/bin/env", "node", "/opt/My Tool"}, exe: "/usr/bin/env", comm: "My Tool"}, "my tool env"},
		{image{argv: []string{"-bash"}, exe: "/usr/bin/bash", comm: "bash"}, "bash"},
		{image{argv: []string{"innocent", "x"}, exe: "/usr/bin/nc", comm: "nc"}, "nc"},
		{image{argv: []string{"ls"}, exe: "/bin/busybox", comm: "ls"}, "ls busybox"},
		{image{argv: []string{"/usr/lib/firefox-esr/firefox-esr", "x"}, exe: "/usr/lib/firefox-esr/firefox-esr", comm: "firefox-esr"},
			"firefox-esr firefox"},
		{image{argv: []string{"/home/a/Kdenlive-23.08.1-x86_64.AppImage"}, exe: "/home/a/Kdenlive-23.08.1-x86_64.AppImage",
			comm: "Kdenlive-23.08."}, "kdenlive"},
		{image{argv: []string{"/home/a/obsidian_x86_64.AppImage"}, comm: "obsidian_x86_64"}, "obsidian"},
		{image{argv: []string{"flatpak", "run", "--branch=stable", "org.gimp.GIMP", "a.png"}, exe: "/usr/bin/flatpak", comm: "flatpak"},
			"flatpak gimp"},
		{image{argv: []string{"/snap/spotify/60/usr/share/spotify/spotify"}, exe: "/snap/spotify/60/usr/share/spotify/spotify", comm: "spotify"},
			"spotify"},
		{image{argv: []string{"/Applications/Visual Studio Code.app/Contents/MacOS/Electron"},
			exe: "/Applications/Visual Studio Code.app/Contents/MacOS/Electron"}, "electron visual studio code"},
		{image{argv: []string{`C:\Windows\notepad.exe`}, exe: `C:\Windows\notepad.exe`, comm: "notepad.exe"}, "notepad"},
		{image{comm: "gone"}, "gone"},
		{image{}, ""},
		{image{argv: []string{"/bin/\xff\xfe"}, exe: "/bin/\xff\xfe", comm: "\xff\xfe"}, "\uFFFD"},
		{image{argv: []string{"soffice.bin", "--calc"}, exe: "/usr/lib/libreoffice/program/soffice.bin", comm: "soffice.bin"},
			"soffice.bin libreoffice"},
	} {
		if got := strings.Join(c.names(), " "); got != c.want {
			t.Errorf("%q: %q, not %q", c.argv, got, c.want)
		}
	}
}

func TestInteractive(t *testing.T) {
	for line, want := range map[string]bool{
		"bash": true, "-bash": true, "bash -i": true, "bash --norc -i": true, "zsh -l": true, "bash --rcfile x -i": true, "sh -": true,
		"fish -C greet": true, "bash -o vi": true, "zsh -f -i": true,
		"bash x.sh": false, "bash -c ls": false, "bash -lc ls": false, "bash -x x.sh": false, "sh -e x": false, "bash -- x": false,
		"nu --command=x": false, "": false,
	} {
		if got := interactive(strings.Fields(line)); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

func TestBrowserArguments(t *testing.T) {
	scope := capture.Scope{Apps: []string{"chromium"}, Sites: []string{"shop.test", "localhost:8080"}}
	for line, want := range map[string]string{
		"chromium":                                      "chromium",
		"chromium https://shop.test/a?b=c":              "chromium https://shop.test/a?b=c",
		"chromium --new-window https://bank.test/x":     "chromium --new-window",
		"chromium bank.test":                            "chromium",
		"chromium shop.test https://bank.test/x":        "chromium shop.test",
		"chromium http://localhost:8080/":               "chromium http://localhost:8080/",
		"chromium http://localhost:8081/":               "chromium",
		"chromium --app=https://bank.test --kiosk":      "chromium --app --kiosk",
		"chromium --app=https://shop.test":              "chromium --app=https://shop.test",
		"chromium file:///home/a/secret.html about:x y": "chromium",
		"chromium --incognito https://shop.test":        "private",
		"chromium -private-window=https://shop.test":    "private",
	} {
		kept, private := browsing(scope, "chromium", strings.Fields(line))
		got := strings.Join(kept, " ")
		if private {
			got = "private"
		}
		if got != want {
			t.Errorf("%q: %q, not %q", line, got, want)
		}
	}
}

func TestWindowNames(t *testing.T) {
	for class, want := range map[string]string{"gimp-2.10": "gimp", "libreoffice-calc": "libreoffice", "org.gnome.Evince": "evince",
		"Firefox-esr": "firefox", "XTerm": "xterm"} {
		if got := (window{class: []string{"x", class}}).names(nil); !slices.Contains(got, want) {
			t.Errorf("%s: %q", class, got)
		}
	}
}

// For any arguments, the line parses as shell words that equal them.
func FuzzLine(f *testing.F) {
	for _, s := range []string{"plain", "two words", "it's", "--flag=a b", "X=$(y)", "\xff", "a\nb", "", "~", "é", "--x=", "-", "=", "a=",
		"{a,b}", "\x01\x1b"} {
		f.Add("tool", s)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if strings.ContainsRune(a+b, 0) || strings.ContainsRune(a+b, '\r') || len(a)+len(b) > 4096 {
			t.Skip() // no argument holds NUL; the parser reads a carriage return as the end of a line
		}
		got := line([]string{"tool", a, b}, false)
		file, err := syntax.NewParser().Parse(strings.NewReader(got), "")
		if err != nil {
			t.Fatalf("%q: %v", got, err)
		}
		if len(file.Stmts) != 1 {
			t.Fatalf("%q: %d statements", got, len(file.Stmts))
		}
		call, ok := file.Stmts[0].Cmd.(*syntax.CallExpr)
		if !ok || len(call.Args) != 3 || len(call.Assigns) != 0 {
			t.Fatalf("%q is not a command of three words", got)
		}
	})
}
