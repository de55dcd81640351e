//go:build !race

package acceptance_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
	words "mvdan.cc/sh/v3/shell"

	"showhow/browser"
	"showhow/capture"
	"showhow/capture/redact"
	"showhow/daemon"
	"showhow/daemon/client"
	"showhow/internal/canary"
	"showhow/internal/clock"
)

// TestNothingLeaks demonstrates every declared class of secrets and personal values to every adapter of one daemon at once:
// types, pastes, uploads, saves, navigates, runs, wraps, exports, reports and plays them inside and outside of the scope, and
// also before capture began, while it was paused and after it ended. Then it searches every byte that the daemon wrote, every
// stream and every answer of the API: no secret, and nothing at all of what was not to be seen. Once more with a skill made and
// installed out of it, and after the purge for everything that was captured. What may be kept is searched for as well: a
// search that found nothing of it would prove nothing.
func TestNothingLeaks(t *testing.T) {
	k := newLeak(t)
	k.elsewhere("early")
	got(k.c.StartSession(t.Context(), k.session))(t)
	for _, s := range k.watched {
		s.marked(true)
	}
	k.streams.listen(t, k.c, k.session)
	k.inside()
	k.outside()

	got(k.c.PauseSession(t.Context(), k.session))(t)
	for _, s := range k.watched {
		s.marked(false)
	}
	k.elsewhere("paused")
	got(k.c.ResumeSession(t.Context(), k.session))(t)
	for _, s := range k.watched {
		s.marked(true)
	}
	k.plain()
	stopped := got(k.c.StopSession(t.Context(), k.session))(t)
	t.Logf("%d observations kept, withheld %v", stopped.CapturedEventCount, stopped.Session.Withheld)
	k.elsewhere("after")
	k.streams.stop()
	observations := k.observations()
	k.balance(observations)
	k.search("captured", k.secrets)
	k.controlled()

	k.proposed(stopped.Session)
	k.search("drafted", k.secrets)
	captured := k.captured(observations)
	if hits := k.hits(captured); len(hits) < len(captured)/2 {
		t.Errorf("of %d captured texts the search finds %d while they are there: it proves nothing", len(captured), len(hits))
	}
	got(k.c.DeleteSession(t.Context(), k.session))(t)
	got(k.c.DeleteRuns(t.Context(), ""))(t)
	k.streams.reset()
	k.search("purged", append(captured, k.secrets...))

	task := k.task()
	t.Setenv("PATH", filepath.Join(k.person, "bin")+":"+os.Getenv("PATH")) // whether its programs are installed is part of the validation
	installed := got(k.install(k.validated(k.proposed(task))))(t)
	if k.there(got(k.c.Ability(t.Context(), installed.AbilityID))(t).SkillSlug) == 0 {
		t.Error("no skill was installed")
	}
	k.search("installed", k.secrets)
	got(k.c.DeleteSession(t.Context(), task.LearnSessionID))(t)
	k.stop()
	k.search("ended", k.secrets)
}

const (
	outside = "quokka77" // is in everything that nobody may see
	inScope = "teapot33" // is in what may be kept
)

// class is a declared class with an example of it.
type class struct {
	redact.Class
	text, secret string
}

func classes() (out []class) {
	for _, c := range redact.Classes {
		_, rest, _ := strings.Cut(c.Example, "«")
		secret, _, _ := strings.Cut(rest, "»")
		out = append(out, class{c, strings.NewReplacer("«", "", "»", "").Replace(c.Example), secret})
	}
	return out
}

// programs are those of the classes' command lines. None of the real ones is on anybody's path.
var programs = strings.Fields(
	"mysql tool sshpass curl psql lftp docker openssl ldapsearch redis-cli mongosh smbclient net unzip htpasswd " +
		"gh kubectl vault ansible-vault usermod aws use note")

// isLine reports whether the text is a command line of one of the programs and nothing else.
func (c class) isLine() bool {
	first, _, _ := strings.Cut(c.text, " ")
	return slices.Contains(programs, first) && !strings.Contains(c.text, "<<<")
}

// line is the class as a person has it on a command line of this shell.
func (c class) line(kind string) string {
	first, _, _ := strings.Cut(c.text, " ")
	own := c.isLine() || slices.Contains([]string{"export", "echo"}, first) || strings.Contains(first, "=") && first != c.text ||
		strings.Contains(c.text, "<<<")
	switch {
	case first == "set":
		own = kind == "fish"
	case kind == "fish" && (strings.Contains(c.text, "<<<") || strings.Contains(c.text, `\`)):
		own = false
	}
	if own && !strings.HasPrefix(first, "Server=") {
		return c.text
	}
	return "note " + quoted(c.text)
}

func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// leak is the world of the test.
type leak struct {
	*world
	person  string // where what the person has is, which nobody searches
	session string
	classes []class
	secrets []canary.Canary // that must not be found
	streams streams

	watched  []*shell // bash, zsh, fish
	others   []*shell // the same, out of the scope
	launcher *shell   // out of the scope; of what it starts some is in it
	page     *tab
	site     string
	off      *tab
	offSite  string
	pad      *os.File
	offPad   *os.File
	folder   string
	offDir   string
	calls    int
}

func newLeak(t *testing.T) *leak {
	t.Helper()
	if _, err := browser.Find(); err != nil {
		t.Skipf("no Chromium: %v", err)
	}
	k := &leak{classes: classes()}
	lock := got(os.OpenFile(filepath.Join(os.TempDir(), "showhow-leak-test.lock"), os.O_CREATE|os.O_RDWR, 0o600))(t)
	t.Cleanup(func() { lock.Close() })
	must(t, unix.Flock(int(lock.Fd()), unix.LOCK_EX)) // another one's programs are named in this one's scope, too
	k.world = begin(t, func(o *daemon.Options) {
		k.person = filepath.Join(filepath.Dir(o.Roots.Data), "person")
		o.Roots.State = filepath.Join(o.Roots.State, "showhow")
		o.Config.Browser.Headless = true
		o.DownloadDir = filepath.Join(k.person, "Downloads")
		o.Test.Sound = filepath.Join(k.person, "sound")
	})
	k.secrets = []canary.Canary{{Label: "what is out of the scope", Text: outside}}
	for _, c := range k.classes {
		k.secrets = append(k.secrets, canary.Canary{Label: c.Name, Text: c.secret})
	}
	k.folder, k.offDir = k.dir("reports"), k.dir(outside+"-dir")
	k.dir("Downloads")
	k.pad, k.offPad = k.plug(0, "Pad 9"), k.plug(1, outside+" Pad")
	k.shells()
	k.pages()
	k.arm()
	return k
}

func (k *leak) dir(name string) string {
	dir := filepath.Join(k.person, name)
	must(k.t, os.MkdirAll(dir, 0o700))
	return dir
}

// plug makes a MIDI device: its node is a FIFO.
func (k *leak) plug(card int, name string) *os.File {
	k.t.Helper()
	node := filepath.Join(k.dir("sound/dev/snd"), fmt.Sprintf("midiC%dD0", card))
	about := filepath.Join(k.dir(fmt.Sprintf("sound/proc/asound/card%d", card)), "midi0")
	must(k.t, os.WriteFile(about, []byte(name+"\n\nInput 0\n  Rx bytes     : 0\n"), 0o600))
	must(k.t, unix.Mkfifo(node, 0o600))
	f := got(os.OpenFile(node, os.O_RDWR, 0))(k.t)
	k.t.Cleanup(func() { f.Close() })
	return f
}

// shells starts those in the scope and the others. Their path has nothing but stubs and a few harmless programs.
func (k *leak) shells() {
	basic := k.dir("basic")
	for _, name := range []string{"sh", "tty", "cat", "true", "sleep", "touch", "mkdir", "mv", "wc", "cut", "grep"} {
		must(k.t, os.Symlink(got(exec.LookPath(name))(k.t), filepath.Join(basic, name)))
	}
	bin, offBin := k.dir("bin"), k.dir(outside+"-bin")
	stub := func(path string) { must(k.t, os.WriteFile(path, []byte("#!/bin/sh\n:\n"), 0o700)) }
	for _, p := range append([]string{"sudo", "tee"}, programs...) {
		stub(filepath.Join(bin, p))
	}
	stub(filepath.Join(offBin, outside+"-tool"))
	for _, kind := range []string{"bash", "zsh", "fish"} {
		k.watched = append(k.watched, k.shellOf(kind, k.dir("in-"+kind), bin+":"+basic))
		k.others = append(k.others, k.shellOf(kind, k.dir(outside+"-"+kind), basic))
	}
	k.launcher = k.shellOf("bash", k.dir("launcher"), bin+":"+offBin+":"+basic)
}

func (k *leak) pages() {
	texts, offTexts := []string{}, []string{}
	for _, c := range k.classes {
		texts, offTexts = append(texts, c.text), append(offTexts, c.text+" "+outside)
	}
	k.site, k.offSite = shop(k.t, inScope+" shop", texts).URL, shop(k.t, outside+" shop", offTexts).URL
	k.secrets = append(k.secrets, canary.Canary{Label: "a site out of the scope", Text: strings.TrimPrefix(k.offSite, "http://")})
	opened := got(k.c.OpenBrowser(k.t.Context(), ""))(k.t)
	h := sit(k.t, opened.DebugURL)
	k.page, k.off = h.tab(k.site+"/?n=0"), h.tab(k.offSite+"/?n=0")
}

func (k *leak) arm() {
	scope := &client.Scope{Sites: []string{strings.TrimPrefix(k.site, "http://")}, Folders: []string{k.folder}, Devices: []string{"Pad 9"},
		Apps: append([]string{"scout"}, programs...)}
	for _, s := range k.watched {
		scope.Shells = append(scope.Shells, s.tty)
	}
	sess := k.armed(client.CreateRequest{EntryMode: "demonstrating_skill", ObservationMode: "mixed", Goal: "Everything at once", Scope: scope})
	k.session = sess.LearnSessionID
	k.keepRuns("scout")
	for _, want := range []capture.Kind{capture.BrowserDOM, capture.BrowserSnapshot, capture.TerminalCommand, capture.ProcessLaunch,
		capture.MIDI, capture.MCPReceipt, capture.WrapperReceipt} {
		if !slices.Contains(sess.Adapters, want) {
			k.t.Errorf("%s is not among %v", want, sess.Adapters)
		}
	}
}

// showhow runs the program itself, as an agent's hook or a person does.
func (k *leak) showhow(stdin string, args ...string) {
	k.t.Helper()
	exe := filepath.Join(k.person, "showhow")
	if _, err := os.Lstat(exe); err != nil {
		must(k.t, os.Symlink(got(os.Executable())(k.t), exe))
	}
	cmd := exec.Command(exe, args...)
	cmd.Dir, cmd.Stdin = k.dir("agent"), strings.NewReader(stdin)
	cmd.Env = []string{"HOME=" + k.o.Roots.Home,
		"PATH=" + filepath.Join(k.person, "bin") + ":" + filepath.Join(k.person, outside+"-bin") + ":" + filepath.Join(k.person, "basic"),
		"XDG_RUNTIME_DIR=" + filepath.Dir(k.o.Roots.Runtime), "XDG_STATE_HOME=" + filepath.Dir(k.o.Roots.State), "SHOWHOW_DATA=" + k.o.Roots.Data,
		"SHOWHOW_HOOK_PATIENCE=100", "GORACE=atexit_sleep_ms=0"}
	if out, err := cmd.CombinedOutput(); err != nil {
		k.t.Fatalf("showhow %s: %v: %s", args[0], err, out)
	}
}

// wrap runs a command line through showhow wrap.
func (k *leak) wrap(line string) {
	k.t.Helper()
	k.showhow("", append([]string{"wrap", "--"}, got(words.Fields(line, func(string) string { return "" }))(k.t)...)...)
}

// reported is a call of an agent that shows text wherever it has a place.
func (k *leak) reported(line, text string) string {
	k.calls++
	b, err := json.Marshal(map[string]any{"run_id": "run-" + strconv.Itoa(k.calls/60), "call_id": strconv.Itoa(k.calls), "tool": "Bash",
		"command": line, "cwd": k.folder,
		"args": map[string]any{"title": text, "more": []any{map[string]string{"text": text}}}, "ok": true,
		"files": []map[string]string{{"path": fileName(text) + ".txt", "change": "created"}}})
	must(k.t, err)
	return string(b)
}

// play plays a chord, a knob and the text as system exclusive data, as devices send names of sounds.
func play(t *testing.T, pad *os.File, text string) {
	t.Helper()
	b := []byte{0x90, 60, 100, 0x90, 64, 100, 0xF0, 0x7D}
	for _, c := range []byte(text) {
		b = append(b, c&0x7F)
	}
	for i := range 20 {
		b = append(b, 0xB0, 74, byte(i))
	}
	got(pad.Write(append(b, 0xF7, 0x80, 60, 0, 0x80, 64, 0)))(t)
}

// inside does in every place of the scope something with every class.
func (k *leak) inside() {
	k.file(inScope + "-file") // the first: of very many files at a time only the first are told one by one
	for i, c := range k.classes {
		for _, s := range k.watched {
			s.run(c.line(s.kind))
		}
		k.launcher.run(c.line("bash"))
		k.browse(k.page, i, c.text, c.secret)
		if i%7 == 0 { // what was entered as a password comes back bare
			k.watched[0].run("note bare " + quoted(c.secret))
		}
		k.file(c.text)
		if c.isLine() && i%3 == 0 {
			k.wrap(c.text)
		}
		play(k.t, k.pad, c.text)
	}
	for batch := range slices.Chunk(k.classes, 15) {
		var in strings.Builder
		for _, c := range batch {
			in.WriteString(k.reported(c.line("bash"), c.text))
		}
		k.showhow(in.String(), "hook", "generic", "--agent", "scout")
	}
	k.watched[0].run("note one; note "+quoted(k.classes[1].text)+"\nnote two # "+k.classes[0].text, " note "+outside+"-private")
	k.watched[1].run(" note " + outside + "-private")
	k.watched[2].run(" note " + outside + "-private")
}

func (k *leak) file(text string) {
	k.t.Helper()
	must(k.t, os.WriteFile(filepath.Join(k.folder, fileName(text)+".csv"), []byte(text), 0o600))
}

// browse looks at a page, enters the text that it shows in one of several ways, takes files of its name, and goes on.
func (k *leak) browse(p *tab, i int, text, secret string) {
	k.t.Helper()
	p.press("#link")
	entered := strings.ReplaceAll(text, "\n", " ")
	switch i % 7 {
	case 0:
		if i > 0 {
			p.press("#who")
		} else {
			p.press("#more")
		}
		p.insert(secret)
	case 1:
		p.press("#note")
		p.keys(entered)
	case 2:
		p.press("#source")
		p.command("a", "selectAll")
		p.command("c", "copy")
		p.press("#note")
		p.command("v", "paste")
	case 3:
		p.press("#remark")
		p.insert(text)
		p.press("#more")
		p.insert(entered)
	case 4:
		file := filepath.Join(k.dir("uploads"), fileName(text)+".txt")
		must(k.t, os.WriteFile(file, []byte(text), 0o600))
		p.upload("#upload", file)
		p.press("#file")
		p.press("#note")
		p.insert(entered)
	case 5:
		p.press("#tell")
		p.press("#pick")
		p.keys("S")
		p.press("#note")
		p.insert(entered)
	default:
		p.press("#note")
		p.insert(entered)
	}
	if i%2 == 0 || i%7 == 0 {
		p.leave(func() { p.press("#send") })
	} else {
		p.leave(func() { p.keys("\r") })
	}
}

// outside does the same where nobody may look.
func (k *leak) outside() {
	for i, c := range k.classes {
		for _, s := range k.others {
			s.run(c.line(s.kind) + " " + outside)
		}
		k.launcher.run(outside + "-tool " + quoted(c.text))
		if i%3 == 0 {
			k.browse(k.off, i, c.text+" "+outside, c.secret+outside)
		}
		must(k.t, os.WriteFile(filepath.Join(k.offDir, fileName(c.text)+outside), nil, 0o600))
		play(k.t, k.offPad, outside)
	}
	k.wrap(outside + "-tool " + quoted(k.classes[0].text))
	k.showhow(k.reported("mysql "+outside, outside), "hook", "generic", "--agent", "stranger")
}

// elsewhere does something in every place of the scope at a time when nothing is observed.
func (k *leak) elsewhere(when string) {
	k.t.Helper()
	text := outside + "-" + when
	for _, s := range append([]*shell{k.launcher}, k.watched...) {
		s.run("mysql "+text, "mkdir "+text)
	}
	k.page.open(k.site + "/?note=" + text)
	k.page.press("#note")
	k.page.insert(text)
	k.page.leave(func() { k.page.keys("\r") })
	k.page.open(k.site + "/?n=0")
	must(k.t, os.WriteFile(filepath.Join(k.folder, text), nil, 0o600))
	k.wrap("mysql " + text)
	play(k.t, k.pad, text)
}

// plain does in every place something that may be kept, and waits until all of it is.
func (k *leak) plain() {
	var want []string
	control := func(place string) string {
		want = append(want, inScope+"-"+place)
		return want[len(want)-1]
	}
	for _, s := range k.watched {
		s.run("note " + control(s.kind))
	}
	k.launcher.run("use " + control("process"))
	k.wrap("use " + control("wrapped"))
	k.showhow(k.reported("make "+control("agent"), "text"), "hook", "generic", "--agent", "scout")
	k.page.open(k.site + "/?note=" + control("page"))
	k.page.press("#link")
	play(k.t, k.pad, "")
	want = append(want, inScope+"-file", inScope+" shop", `"gesture":"chord"`)
	k.until("all of it is kept", func() bool {
		kept := slices.Concat(k.observations()...)
		want = slices.DeleteFunc(want, func(text string) bool { return bytes.Contains(kept, []byte(text)) })
		return len(want) == 0
	})
}

// task is a demonstration that a skill can be made of, with secrets and personal values in it.
func (k *leak) task() client.Session {
	k.t.Helper()
	lines := slices.Clone(errand)
	for _, c := range k.classes {
		if c.isLine() && len(lines) < 10 || c.Personal {
			lines = append(lines, c.line("bash"))
		}
	}
	return k.demonstrated(k.watched[0], asked(k.watched[0]), lines...)
}

// observations are the session's, page by page; none once it is deleted.
func (k *leak) observations() (out [][]byte) {
	k.t.Helper()
	for page := 1; ; page++ {
		var l struct {
			Observations []json.RawMessage `json:"observations"`
		}
		must(k.t, json.Unmarshal(k.send("GET", fmt.Sprintf("/api/learn/sessions/%s/observations?page=%d&page_size=100", k.session, page), "",
			false).body, &l))
		if len(l.Observations) == 0 {
			return out
		}
		for _, o := range l.Observations {
			out = append(out, o)
		}
	}
}

// balance insists that every adapter observed.
func (k *leak) balance(observations [][]byte) {
	k.t.Helper()
	n := map[string]int{}
	for _, b := range observations {
		var o client.Record
		must(k.t, json.Unmarshal(b, &o))
		what := string(o.Event.AdapterKind)
		if o.Action.Command != nil && o.Action.Command.Shell != "" && what == "terminal_command" {
			what = o.Action.Command.Shell
		}
		if o.Action.File != nil && what == "process_launch" {
			what = "files"
		} else if o.After != nil { // or it hangs on what ran at its time
			n["files"] += len(o.After.Files)
		}
		n[what]++
	}
	k.t.Logf("kept %v", n)
	for what, least := range map[string]int{"bash": 60, "zsh": 60, "fish": 60, "process_launch": 60, "browser_dom": 200, "midi": 20,
		"mcp_receipt": 60, "wrapper_receipt": 8, "files": 40} {
		if n[what] < least {
			k.t.Errorf("only %d observations of %s", n[what], what)
		}
	}
}

// answers are the bodies of every GET of the API, except for unstored on-screen data and the values opened for the
// person's own review.
func (k *leak) answers() []byte {
	k.t.Helper()
	var all []byte
	proposals := got(k.c.Proposals(k.t.Context(), client.ProposalFilter{}))(k.t).Proposals
	for path, item := range openAPI(k.t).Paths {
		if _, ok := item["get"]; !ok || path == "/api/observe/targets" || strings.HasSuffix(path, "/values") ||
			strings.HasSuffix(path, "/events") || strings.HasSuffix(path, "/stream") {
			continue
		}
		proposal, query := clock.NewID(), "?page_size=100"
		if len(proposals) > 0 {
			proposal = proposals[0].ProposalID
		}
		if strings.HasSuffix(path, "/files") {
			query = "?path=SKILL.md"
		}
		path = strings.NewReplacer("{sessionId}", k.session, "{proposalId}", proposal).Replace(path)
		all = append(all, k.send("GET", path+query, "", false).body...)
	}
	for _, o := range k.observations() {
		all = append(all, o...)
	}
	return all
}
