package danger

import (
	"strings"

	"showhow/internal/plain"
)

// wrapper is a program that runs the program among its own arguments.
type wrapper struct {
	valued string // its flags that take the next word
	skip   int    // its own operands before the program
	class  Class  // what it adds
	why    string
}

var wrappers = map[string]wrapper{
	"command": {}, "builtin": {}, "exec": {valued: "-a"}, "nohup": {}, "setsid": {}, "time": {
		valued: "-f -o"}, "noglob": {}, "nocorrect": {}, "catchsegv": {},
	"nice": {valued: "-n"}, "ionice": {valued: "-c -n -p"}, "chrt": {skip: 1}, "taskset": {skip: 1}, "stdbuf": {
		valued: "-i -o -e"}, "unbuffer": {},
	"timeout": {valued: "-k -s --signal --kill-after", skip: 1}, "env": {valued: "-u -C -S --unset --chdir"}, "watch": {
		valued: "-n -d --interval"}, "caffeinate": {valued: "-t -w"},
	"xargs":    {valued: "-I -n -P -L -d -a -s -E --max-args --max-procs --delimiter --arg-file --replace"},
	"parallel": {valued: "-j -a --jobs -S --colsep -N"}, "flock": {valued: "-w -E", skip: 1}, "rlwrap": {}, "entr": {}, "hyperfine": {
		valued: "-w -r -n --warmup --runs"},
	"strace": {valued: "-e -o -p -s -u"}, "ltrace": {valued: "-e -o -p -s"}, "gdb": {
		valued: "-x -ex", class: Unknown, why: "a debugger can do anything to a program"}, "valgrind": {}, "perf": {
		class: Writes, why: "perf writes a file", skip: 1},
	"faketime": {skip: 1}, "dbus-run-session": {}, "xvfb-run": {valued: "-n -s -e"}, "fakeroot": {}, "proot": {
		class: Unknown, why: "proot shows a program another file system"}, "firejail": {}, "eatmydata": {}, "direnv": {skip: 2},
	"sudo":    {valued: "-u -g -h -p -C -D -R -T --user --group", class: Escalates, why: "sudo acts with the machine's rights"},
	"doas":    {valued: "-u -C", class: Escalates, why: "doas acts with the machine's rights"},
	"pkexec":  {valued: "--user", class: Escalates, why: "pkexec acts with the machine's rights"},
	"run0":    {valued: "-u --user", class: Escalates, why: "run0 acts with the machine's rights"},
	"su":      {class: Escalates, why: "su acts as another user", skip: 99, valued: "-s -g"},
	"chroot":  {class: Escalates, why: "chroot needs the machine's rights", skip: 1},
	"nsenter": {valued: "-t --target", class: Escalates, why: "nsenter enters what another program is kept in"}, "unshare": {
		class: Escalates, why: "unshare changes what a program is kept in"},
	"systemd-run": {valued: "-p -u --unit --on-calendar --on-active", class: Escalates, why: "systemd-run starts a service that stays"},
	"capsh":       {class: Escalates, why: "capsh changes a program's rights"},
	"setpriv":     {class: Escalates, why: "setpriv changes a program's rights"}, "runuser": {
		valued: "-u -g", class: Escalates, why: "runuser acts as another user"},
	"bwrap": {class: Unknown, why: "what a box lets through is not known", skip: 99},
	"tmux":  {class: Unknown, why: "what runs in a terminal of its own is not known", skip: 99}, "screen": {
		class: Unknown, why: "what runs in a terminal of its own is not known", skip: 99}, "script": {
		class: Unknown, why: "script runs a shell of its own", skip: 99},
}

// inner is the call that a wrapper runs.
func (w wrapper) inner(args call) call {
	takes := plain.Set(w.valued)
	skip := w.skip
	for i := 0; i < len(args); i++ {
		t := args[i].text
		switch {
		case t == "--" && args[i].known:
		case len(t) > 1 && t[0] == '-' && args[i].known:
			if takes[t] {
				i++
			}
		case strings.Contains(t, "=") && !strings.HasPrefix(t, "/") && isName(t[:strings.IndexByte(t, '=')]):
		case skip > 0:
			skip--
		default:
			return args[i:]
		}
	}
	return nil
}

func isName(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) < 0
}

func (l *script) wrapped(name string, w wrapper, args call, in input, depth int) {
	if name == "command" && args.has("-v", "-V") {
		l.add(Reads, "command -v finds a program")
		return
	}
	if w.class > Reads {
		l.add(w.class, w.why)
	}
	if name == "env" {
		for _, a := range args {
			if n, _, ok := strings.Cut(a.text, "="); ok && (n == "PATH" || strings.HasPrefix(n, "LD_")) {
				l.add(Unknown, "it changes which programs the names in the line mean")
			}
		}
		if s, ok := args.value("-S", "--split-string"); ok {
			l.nested(word{text: s, known: true}, depth, "")
			return
		}
	}
	if text, ok := args.value("-c", "--command"); ok && (name == "su" || name == "script" || name == "runuser" || name == "flock") {
		l.nested(word{text: text, known: true}, depth, "")
		return
	}
	inner := w.inner(args)
	if name == "parallel" {
		if i := inner.index(":::", "::::", ":::+"); i >= 0 {
			inner = inner[:i]
		}
	}
	if len(inner) == 0 {
		if w.class == Reads {
			l.add(Reads, name+" alone does nothing")
		}
		return
	}
	if len(inner) == 1 && strings.ContainsAny(inner[0].text, " ;|&") || name == "watch" || name == "parallel" || name == "hyperfine" {
		l.text(inner, depth, name+" runs text that is only known when it runs")
		return
	}
	if name == "xargs" {
		inner = append(inner[:len(inner):len(inner)], word{text: "item"}) // what comes through the pipe
		if p := inner.program(); interpreters[p] && len(inner) == 2 {
			l.add(Installs, p+" runs whatever comes through the pipe")
			return
		}
	}
	l.run(inner, in, depth+1)
}
