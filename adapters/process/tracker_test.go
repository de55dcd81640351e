package process

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"showhow/adapters/adaptertest"
	"showhow/capture"
)

// machine simulates the kernel for a tracker.
type machine struct {
	*tracker
	*adaptertest.Sink
	t     *testing.T
	pid   int
	group map[int]int
	lives map[int]life // what /proc says, where it is not gone
}

// newMachine has a session manager (1), an interactive shell on pts/1 (2), and an editor (3).
func newMachine(t *testing.T, scope capture.Scope) *machine {
	t.Helper()
	m := &machine{Sink: adaptertest.NewSink(), t: t, pid: 100, group: map[int]int{}, lives: map[int]life{}}
	a := New()
	a.own = func(i *image) bool { return base(i.exe) == "showhow" }
	m.tracker = newTracker(a, scope, m.Sink)
	m.tracker.group = func(pid int) int { return m.group[pid] }
	m.tracker.life = func(pid int) life { return m.lives[pid] }
	m.tracker.look = func(int) *image { return nil }
	m.tracker.cwd = func(int) string { return "/at/the/shell" }
	m.adopt(1, m.image(1, "/usr/lib/systemd/systemd", "--user"))
	shell := m.image(2, "/bin/bash")
	shell.tty, shell.live, m.group[2] = "pts/1", true, 2
	m.adopt(2, shell)
	m.adopt(3, m.image(3, "/usr/bin/editor"))
	m.descend(map[int]int{2: 1, 3: 1})
	return m
}

func (m *machine) image(pid int, argv ...string) *image {
	return &image{mine: true, argv: argv, exe: argv[0], comm: cutComm(base(argv[0])), group: pid, cwd: "/cwd"}
}

func (m *machine) fork(parent int) int {
	m.pid++
	m.changed(change{what: forked, pid: m.pid, parent: parent, at: time.Now()})
	return m.pid
}

func (m *machine) exec(pid int, i *image) {
	m.changed(change{what: started, pid: pid, at: time.Now(), image: i})
}

func (m *machine) end(pid, exit int) {
	m.changed(change{what: ended, pid: pid, at: time.Now(), exit: exit})
}

// run starts a program from a parent and ends it.
func (m *machine) run(parent int, argv ...string) {
	pid := m.fork(parent)
	m.exec(pid, m.image(pid, argv...))
	m.end(pid, 0)
}

// story formats what was emitted.
func (m *machine) story() string {
	time.Sleep(2 * soon) // clock: synctest's
	m.settle()
	var out []string
	for _, s := range m.Seen() {
		c := s.Command
		text := fmt.Sprintf("%s: %s from %q, %d children", s.Origin.App, c.Line, c.Parent, c.Children)
		if c.Running {
			text += ", running"
		} else if c.Exit != 0 {
			text += fmt.Sprintf(", exit %d", c.Exit)
		}
		out = append(out, text)
	}
	return strings.Join(out, "\n")
}

func (m *machine) tells(want ...string) {
	m.t.Helper()
	if got := m.story(); got != strings.Join(want, "\n") {
		m.t.Errorf("%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

func (m *machine) withheld(reason capture.WithheldReason, want int64) {
	m.t.Helper()
	if n := m.Withheld(reason); n != want {
		m.t.Errorf("%d withheld as %s, not %d", n, reason, want)
	}
}

func apps(names ...string) capture.Scope { return capture.Scope{Apps: names} }

// with runs a part in a bubble with simulated time.
func with(t *testing.T, name string, scope capture.Scope, part func(m *machine)) {
	t.Run(name, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) { part(newMachine(t, scope)) })
	})
}

func TestTracker(t *testing.T) {
	with(t, "at the prompt", apps("make"), func(m *machine) {
		pid := m.fork(2)
		m.exec(pid, m.image(pid, "/usr/bin/make", "-j"))
		for range 3 {
			m.run(pid, "/usr/bin/cc")
		}
		m.end(pid, 2)
		m.tells(`make: /usr/bin/make -j from "bash", 3 children, exit 2`)
		m.withheld(capture.OffScope, 0)
	})
	with(t, "not named", apps("make"), func(m *machine) {
		m.run(2, "/usr/bin/gcc", "secret")
		pid := m.fork(3)
		m.exec(pid, m.image(pid, "/bin/sh", "-c", "secret"))
		m.run(pid, "/usr/bin/secret")
		m.end(pid, 0)
		m.tells("")
		m.withheld(capture.OffScope, 2)
	})
	with(t, "handed over to a running one", apps("editor"), func(m *machine) {
		pid := m.fork(1)
		m.exec(pid, m.image(pid, "/usr/bin/editor", "a.txt"))
		time.Sleep(200 * time.Millisecond) // clock: synctest's
		m.end(pid, 0)
		m.tells(`editor: /usr/bin/editor a.txt from "systemd", 0 children`)
	})
	with(t, "left behind", apps("daemon"), func(m *machine) {
		pid := m.fork(2)
		m.exec(pid, m.image(pid, "/usr/sbin/daemon"))
		second := m.fork(pid)
		third := m.fork(second)
		m.end(second, 0)
		m.end(pid, 0)
		_ = third
		m.tells(`daemon: /usr/sbin/daemon from "bash", 2 children, running`)
	})
	with(t, "a failure that leaves something behind has failed", apps("daemon"), func(m *machine) {
		pid := m.fork(2)
		m.exec(pid, m.image(pid, "/usr/sbin/daemon"))
		m.fork(pid)
		m.end(pid, 7)
		m.tells(`daemon: /usr/sbin/daemon from "bash", 1 children, exit 7`)
	})
	with(t, "shells' own", apps("git"), func(m *machine) {
		pid := m.fork(2)
		i := m.image(pid, "/usr/bin/git", "branch")
		i.group = 2
		m.exec(pid, i)
		m.end(pid, 0)
		sub := m.fork(2) // a subshell of the person's
		m.run(sub, "/usr/bin/git", "status")
		m.end(sub, 0)
		m.tells(`git: /usr/bin/git status from "bash", 0 children`)
		m.withheld(capture.OffScope, 0)
	})
	with(t, "named terminal", capture.Scope{Apps: []string{"make"}, Shells: []string{"pts/1"}}, func(m *machine) {
		m.run(2, "/usr/bin/gcc")
		m.tells("")
		m.withheld(capture.OffScope, 0)
	})
	with(t, "no scope", capture.Scope{}, func(m *machine) {
		m.run(2, "/usr/bin/gcc")
		m.tells("")
		m.withheld(capture.NoScope, 1)
	})
	with(t, "own", apps("gcc", "showhow"), func(m *machine) {
		pid := m.fork(2)
		m.exec(pid, m.image(pid, "/usr/bin/showhow", "learn"))
		m.run(pid, "/usr/bin/gcc")
		shell := m.fork(pid) // `learn start --shell new`
		i := m.image(shell, "/bin/zsh")
		i.tty = "pts/4"
		m.exec(shell, i)
		m.run(shell, "/usr/bin/gcc", "-v")
		m.tells(`gcc: /usr/bin/gcc -v from "zsh", 0 children`)
		m.withheld(capture.OwnWindow, 1)
	})
	with(t, "wrapper that takes its time", apps("real"), func(m *machine) {
		pid := m.fork(1)
		m.exec(pid, m.image(pid, "/usr/bin/wrapper"))
		time.Sleep(5 * time.Second) // clock: synctest's
		m.settle()
		m.exec(pid, m.image(pid, "/usr/bin/real"))
		m.end(pid, 0)
		m.tells(`real: /usr/bin/real from "systemd", 0 children`)
		m.withheld(capture.OffScope, 1)
	})
	with(t, "parent that is not named", apps("viewer"), func(m *machine) {
		m.run(3, "/usr/bin/viewer", "a.pdf")
		m.tells(`viewer: /usr/bin/viewer a.pdf from "", 0 children`)
	})
	with(t, "parent that is named", apps("viewer", "editor"), func(m *machine) {
		m.run(3, "/usr/bin/viewer", "a.pdf")
		m.tells(`viewer: /usr/bin/viewer a.pdf from "editor", 0 children`)
	})
	with(t, "workers of what ran before", apps("editor"), func(m *machine) {
		worker := m.fork(3)
		i := m.image(worker, "/proc/self/exe", "--type=worker")
		i.exe, i.comm = "/usr/bin/editor", "exe"
		m.exec(worker, i)
		m.run(worker, "/usr/bin/editor", "--type=another")
		m.run(m.fork(3), "/usr/bin/editor", "--type=third")
		m.tells("")
		m.withheld(capture.OffScope, 0)
	})
	with(t, "panel started meanwhile", apps("files", "viewer"), func(m *machine) {
		pid := m.fork(1)
		m.exec(pid, m.image(pid, "/usr/bin/nautilus"))
		m.run(pid, "/usr/bin/viewer", "a.pdf")
		m.tells(`viewer: /usr/bin/viewer a.pdf from "nautilus", 0 children`)
	})
}

func TestTrackerCountsWhatIsGone(t *testing.T) {
	with(t, "once each", apps("make"), func(m *machine) {
		for range 5 {
			pid := m.fork(2)
			m.exec(pid, nil)
			m.end(pid, 0)
		}
		outer := m.fork(2)
		m.exec(outer, m.image(outer, "/bin/sh", "-c", "many"))
		for range 4 { // any of these may have been make
			pid := m.fork(outer)
			m.exec(pid, nil)
			m.end(pid, 0)
		}
		m.end(outer, 0)
		m.tells("")
		m.withheld(capture.Overflow, 9)
		m.withheld(capture.OffScope, 1)
	})
	with(t, "not within a launch, others' or our own", apps("make"), func(m *machine) {
		pid := m.fork(2)
		m.exec(pid, m.image(pid, "/usr/bin/make"))
		m.exec(m.fork(pid), nil)
		m.adopt(50, &image{}) // another user's
		m.exec(m.fork(50), nil)
		own := m.fork(2)
		m.exec(own, m.image(own, "/usr/bin/showhow"))
		m.exec(m.fork(own), nil)
		m.exec(999, nil) // nobody known
		m.withheld(capture.Overflow, 0)
	})
	with(t, "what is known is used", apps("averyveryverylongname"), func(m *machine) {
		pid := m.fork(2)
		m.exec(pid, &image{mine: true, comm: "averyveryverylo", live: true})
		m.end(pid, 4)
		m.tells(`averyveryverylongname: averyveryverylongname ... from "bash", 0 children, exit 4`)
		if s := m.Seen()[0]; s.Command.CwdFrom != "/at/the/shell" {
			t.Errorf("%+v", s.Command)
		}
	})
}

// The first thread's end is reported before or after another thread's exec, and either may be late.
func TestTrackerThreadExecutes(t *testing.T) {
	program := func(m *machine, between func(pid int)) {
		pid := m.fork(2)
		m.exec(pid, m.image(pid, "/usr/bin/make"))
		between(pid)
		m.lives[pid] = gone
		m.end(pid, 3)
		m.tells(`make: /usr/bin/make from "bash", 0 children, exit 3`)
		if d := m.Seen()[0].Command.Duration; d < 100*time.Millisecond || d > 200*time.Millisecond {
			t.Errorf("took %v", d)
		}
	}
	pass := func(m *machine, d time.Duration) {
		time.Sleep(d) // clock: synctest's
		m.settle()
	}
	ls := func(m *machine, pid int) { m.exec(pid, m.image(pid, "/usr/bin/ls")) }
	with(t, "first the end", apps("make"), func(m *machine) {
		program(m, func(pid int) { m.end(pid, 0); ls(m, pid); pass(m, 100*time.Millisecond) })
	})
	with(t, "long before", apps("make"), func(m *machine) {
		program(m, func(pid int) {
			m.end(pid, 0)
			m.lives[pid] = ending
			pass(m, 100*time.Millisecond)
			ls(m, pid)
		})
	})
	with(t, "then the end", apps("make"), func(m *machine) {
		program(m, func(pid int) {
			ls(m, pid)
			m.end(pid, 0)
			pass(m, 10*time.Millisecond)
			m.lives[pid] = lives
			pass(m, 90*time.Millisecond)
		})
	})
	with(t, "then the end, and the true one at once", apps("make"), func(m *machine) {
		program(m, func(pid int) { pass(m, 100*time.Millisecond); ls(m, pid); m.end(pid, 0) })
	})
	with(t, "for good", apps("make"), func(m *machine) {
		pid := m.fork(2)
		m.exec(pid, m.image(pid, "/usr/bin/make"))
		m.end(pid, 0)
		m.lives[pid] = ending
		pass(m, time.Second)
		m.tells(`make: /usr/bin/make from "bash", 0 children, running`)
	})
}

func TestTrackerPause(t *testing.T) {
	with(t, "", apps("make"), func(m *machine) {
		before := m.fork(2)
		m.exec(before, m.image(before, "/usr/bin/make", "before"))
		m.Pause()
		during := m.fork(2)
		m.exec(during, m.image(during, "/usr/bin/make", "during"))
		late := m.fork(2)
		was := time.Now()
		time.Sleep(time.Millisecond) // clock: synctest's
		m.Resume()
		m.changed(change{what: started, pid: late, at: was, image: m.image(late, "/usr/bin/make", "late")})
		m.exec(during, m.image(during, "/usr/bin/make", "replaced"))
		after := m.fork(2)
		m.exec(after, m.image(after, "/usr/bin/make", "after"))
		m.end(after, 0)
		m.end(during, 0)
		m.tells(`make: /usr/bin/make before from "bash", 0 children, running`, `make: /usr/bin/make after from "bash", 0 children`)
		m.withheld(capture.OffScope, 0)
	})
}

// A window that came to the front while paused is not reported, however late the window system reports it.
func TestTrackerPauseOfWindows(t *testing.T) {
	with(t, "", apps("editor"), func(m *machine) {
		m.Pause()
		was := time.Now()
		time.Sleep(time.Millisecond) // clock: synctest's
		m.Resume()
		editor := func() window { return window{class: []string{"editor"}, title: "Letter"} }
		m.activated(was, editor)
		m.activated(time.Now(), editor)
		if n := len(m.Seen()); n != 1 {
			t.Errorf("%d windows were told, one of them came while nothing was watched", n)
		}
	})
}

// The tracker keeps nothing of processes and launches that have ended and been reported.
func TestTrackerForgets(t *testing.T) {
	with(t, "", apps("make"), func(m *machine) {
		for range 3 * maxDead {
			pid := m.fork(2)
			child := m.fork(pid)
			m.exec(pid, m.image(pid, "/usr/bin/make"))
			m.end(child, 0)
			m.end(pid, 0)
			time.Sleep(time.Millisecond) // clock: synctest's
		}
		m.story()
		if len(m.procs) > 3 || len(m.open) != 0 || len(m.dead) > maxDead {
			t.Errorf("%d processes, %d dead, %d launches kept", len(m.procs), len(m.dead), len(m.open))
		}
	})
}
