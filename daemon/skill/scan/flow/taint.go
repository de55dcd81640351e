package flow

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"showhow/daemon/skill/scan/report"
	"showhow/daemon/skill/scan/source"
	"showhow/internal/lazyre"
)

// label says what a value can hold.
type label uint8

const (
	secret  label = 1 << iota // contents of keys, stores, personal files
	envAll                    // the whole environment
	cred                      // one named credential
	remote                    // what a server answered
	known                     // remote, and from a project's own installer
	decoded                   // what an encoding hid
	data                      // contents of any file
)

// taint is what a value can hold and where that came from.
type taint struct {
	label label
	what  string   // of a secret
	where string   // file:line of the first source
	creds []string // names of credentials
	url   string   // of what is remote
	path  string   // of an open file
}

func (t taint) is(l label) bool { return t.label&l != 0 }

func (t taint) and(u taint) taint {
	if t.label&(remote) != 0 && t.label&known == 0 && u.is(known) {
		u.label &^= known
	}
	if u.label&(remote) != 0 && u.label&known == 0 && t.is(known) {
		t.label &^= known
	}
	t.label |= u.label
	if t.what == "" && u.what != "" {
		t.what, t.where = u.what, u.where
	}
	if t.where == "" {
		t.where = u.where
	}
	if t.url == "" {
		t.url = u.url
	}
	if t.path == "" {
		t.path = u.path
	}
	for _, c := range u.creds {
		if len(t.creds) < 8 && !Contains(t.creds, c) {
			t.creds = append(t.creds[:len(t.creds):len(t.creds)], c)
		}
	}
	return t
}

func Contains(s []string, x string) bool {
	for _, v := range s {
		if v == x {
			return true
		}
	}
	return false
}

// Unit is one piece of code: a script, a code block of a document, text that was decoded.
type Unit struct {
	F     *source.File
	Line  int // of its first line
	Place source.Place
	Scope string // variables are shared in it
	Run   func(*Pass)
	Note  string // "", or where the code was hidden
}

// World is what flows between pieces of code: variables, files that are written, functions.
type World struct {
	vars   map[string]taint
	texts  map[string]string // variables with one known text
	files  map[string]taint
	funcs  map[string]map[string]taint    // by name, and by the file that has it
	params map[string]map[string][]string // likewise
	ours   map[string]bool                // base names of the bundle's own files
	grown  int                            // how often something new was learnt
	Asked  map[Fact]bool                  // what was looked up that another file may know

	privates map[string]keeping // what is kept at a path, once looked up
	names    map[[2]string]bool // whether one file names another
	lastings map[string]int     // the entry of lasting for a path, -1 for none
}

// Fact is something that one file of a bundle can know of another.
type Fact struct {
	of   factKind
	name string
}

type factKind uint8

const (
	content    factKind = iota // of a file
	result                     // of a function
	parameters                 // of a function
)

// ByName reports whether a file that uses the fact names the file that has it.
func (f Fact) ByName() bool { return f.of != content }

func NewWorld(ours map[string]bool) *World {
	return &World{vars: map[string]taint{}, texts: map[string]string{}, files: map[string]taint{},
		funcs: map[string]map[string]taint{}, params: map[string]map[string][]string{}, names: map[[2]string]bool{},
		ours: ours, Asked: map[Fact]bool{}, privates: map[string]keeping{}, lastings: map[string]int{}}
}

// made is what a file holds that the bundle's code wrote; false when it wrote none of that name.
func (w *World) made(p string) (taint, bool) {
	k := fileKey(p)
	w.ask(Fact{content, k})
	t, ok := w.files[k]
	return t, ok
}

// holds is made for whom it does not matter who wrote it.
func (w *World) holds(p string) taint {
	t, _ := w.made(p)
	return t
}

// returns is what a function of the bundle's returns; false when it has none of that name.
func (w *Pass) returns(name string) (taint, bool) {
	w.ask(Fact{result, name})
	return reached(w, w.funcs[name], taint.and)
}

// paramsOf are the variables that a function's arguments go into.
func (w *Pass) paramsOf(name string) []string {
	w.ask(Fact{parameters, name})
	p, _ := reached(w, w.params[name], func(a, b []string) []string { return slices.Concat(a, b) })
	return p
}

// fetched is what an address answers.
func fetched(address string) taint {
	t := taint{label: remote, url: address}
	if source.Installer(address) {
		t.label |= known
	}
	return t
}

// gives notes what a function of this file returns.
func (w *Pass) gives(name string, t taint) {
	if w.funcs[name] == nil {
		w.funcs[name] = map[string]taint{}
	}
	w.grow(w.funcs[name], w.U.F.Path, t)
}

// takes notes the parameters of a function of this file.
func (w *Pass) takes(name string, params []string) {
	if w.params[name] == nil {
		w.params[name] = map[string][]string{}
	}
	w.params[name][w.U.F.Path] = params
}

// reached is what this file means by a name: its own function, or those of the files that it names.
func reached[V any](w *Pass, by map[string]V, and func(V, V) V) (all V, ok bool) {
	if own, is := by[w.U.F.Path]; is {
		return own, true
	}
	for _, p := range slices.Sorted(maps.Keys(by)) {
		if !w.mentions(w.U.F, p) {
			continue
		}
		if ok {
			all = and(all, by[p])
		} else {
			all, ok = by[p], true
		}
	}
	return all, ok
}

// mentions reports whether a file names another one, as it has to when it uses what is in it. Files of one folder in a language whose
// packages are folders need not.
func (w *World) mentions(f *source.File, p string) bool {
	k := [2]string{f.Path, p}
	is, ok := w.names[k]
	if !ok {
		is = Mentions(f, p)
		w.names[k] = is
	}
	return is
}

// Mentions is the same without a world.
func Mentions(f *source.File, p string) bool {
	stem, ext := path.Base(p), path.Ext(p)
	if ext == ".go" || ext == ".java" {
		return path.Dir(f.Path) == path.Dir(p) || strings.Contains(f.Text, path.Base(path.Dir(p)))
	}
	stem = strings.TrimSuffix(stem, ext)
	if stem == "index" || stem == "__init__" || stem == "mod" || stem == "main" {
		stem = path.Base(path.Dir(p))
	}
	return strings.Contains(f.Text, stem) || f.ImportsComputed()
}

func (w *World) ask(f Fact) {
	if !w.Asked[f] {
		w.Asked[f] = true
	}
}

// Known are the facts that others may ask for.
func (w *World) Known() []Fact {
	var out []Fact
	for k := range w.files {
		out = append(out, Fact{content, k})
	}
	for k := range w.funcs {
		out = append(out, Fact{result, k})
	}
	for k, by := range w.params {
		for _, names := range by {
			if len(names) > 0 {
				out = append(out, Fact{parameters, k})
				break
			}
		}
	}
	return out
}

type keeping struct {
	what  string
	usual bool
}

// private is the function of that name, remembered.
func (w *World) private(p string) (string, bool) {
	k, ok := w.privates[p]
	if !ok {
		k.what, k.usual = Private(p)
		w.privates[p] = k
	}
	return k.what, k.usual
}

// lasts is the entry of lasting for a path, nil for an ordinary one.
func (w *World) lasts(p string) int {
	i, ok := w.lastings[p]
	if !ok {
		i = -1
		for j := range Lasting {
			if Lasting[j].RE.MatchString(p) {
				i = j
				break
			}
		}
		w.lastings[p] = i
	}
	return i
}

// Pass is one pass over one unit. Facts only grow; what was reported once is not reported again.
type Pass struct {
	*World
	U        *Unit
	unpacked taint // an archive from elsewhere was unpacked here
	depth    int
}

// passes are enough for a value to travel through that many files in the wrong order.
const passes = 4

// Follow goes through pieces of code until nothing new is known.
func (w *World) Follow(ctx context.Context, code []*Unit) {
	for range passes {
		before := w.grown
		for _, u := range code {
			if ctx.Err() != nil {
				return
			}
			w.step(u)
		}
		if w.grown == before {
			return
		}
	}
}

func (w *World) step(u *Unit) {
	defer func() {
		if recover() != nil {
			u.F.Add("unread", u.Line, "", report.With{Meaning: "The code makes its parser fail.", Severity: report.High})
		}
	}()
	u.Run(&Pass{World: w, U: u})
}

func (w *Pass) key(name string) string { return w.U.Scope + "\x00" + name }

func (w *Pass) get(name string) taint { return w.vars[w.key(name)] }

func (w *Pass) set(name string, t taint) {
	if name == "" || t.label == 0 && t.path == "" {
		return
	}
	w.grow(w.vars, w.key(name), t)
}

// grow adds to what is known of a variable, file or function.
func (w *World) grow(m map[string]taint, k string, t taint) {
	old := m[k]
	now := old.and(t)
	if now.label != old.label || now.path != old.path || len(now.creds) != len(old.creds) {
		w.grown++
	}
	m[k] = now
}

// setText notes a variable's text; one that is set twice has none.
func (w *Pass) setText(name, text string) {
	k := w.key(name)
	if old, ok := w.texts[k]; ok && old != text {
		if len(old)+len(text) < 2000 && !strings.Contains(old, text) {
			w.texts[k] = old + "\n" + text
		}
		return
	}
	if len(text) < 4000 {
		w.texts[k] = text
	}
}

func (w *Pass) textOf(name string) string { return w.texts[w.key(name)] }

// add reports, weighed by where the code stands: an example of an attack in a skill about attacks is for review.
func (w *Pass) add(rule string, line int, v report.With) {
	if v.Severity == "" {
		v.Severity = report.ByID[rule].Severity
	}
	p := w.U.Place
	if p.Quoted && p.Cue() {
		v.Severity = report.AtMost(v.Severity, report.Medium)
		if w.U.F.Teaches {
			v.Severity = report.AtMost(v.Severity, report.Low)
		}
	} else if p.Quoted && w.U.F.Teaches && v.Severity == report.Medium {
		v.Severity = report.Low
	}
	if (rule == "persistence" || rule == "agent-memory") && w.U.F.ForPeople() {
		v.Severity = report.AtMost(v.Severity, report.Medium)
	}
	if w.U.Note != "" {
		w.U.F.Add("encoded-payload", w.U.Line, "", report.With{Meaning: w.U.Note + " it hides: " + report.ByID[rule].Title + ".",
			Severity: v.Severity})
		return
	}
	w.U.F.Add(rule, w.U.Line+line-1, "", v)
}

func (w *Pass) here(line int) string { return fmt.Sprintf("%s:%d", w.U.F.Path, w.U.Line+line-1) }

// read is the content of a file.
func (w *Pass) read(p string, line int) taint {
	if p == "" {
		return taint{}
	}
	t := w.holds(p)
	if what, usual := w.private(p); what != "" {
		if usual {
			w.add("secret-access", line, report.With{Meaning: "It reads " + what + ".", Severity: report.Low})
		} else {
			w.add("secret-access", line, report.With{Meaning: "It reads " + what + "."})
		}
		t = t.and(taint{label: secret, what: what, where: w.here(line)})
	}
	return t.and(taint{label: data, where: w.here(line)})
}

func fileKey(p string) string {
	return strings.TrimPrefix(path.Base(strings.Trim(p, `"'`)), "./")
}

// write puts a value into a file.
func (w *Pass) write(p, content string, t taint, line int) {
	if p == "" || p == "/dev/null" {
		return
	}
	k := fileKey(p)
	t.path = ""
	if t.label != 0 {
		w.grow(w.files, k, t)
		if dir := path.Base(path.Dir(strings.TrimSuffix(p, "/"))); t.is(secret) && len(dir) > 2 && dir != "tmp" {
			w.grow(w.files, dir, t) // who packs the folder packs the file
		}
	}
	if AgentPermissions.MatchString(content) {
		v := report.With{Severity: report.Medium}
		if w.lasts(p) >= 0 || settings.MatchString(content) {
			v.Severity = report.High
		}
		w.add("agent-permissions", line, v)
	}
	if i := w.lasts(p); i >= 0 {
		l := &Lasting[i]
		v := report.With{Meaning: "It writes " + l.what + "."}
		desc := w.U.F.Purpose()
		switch {
		case l.Rule == "agent-memory-project":
			if !ofAgents.MatchString(strings.ToLower(desc)) && !w.U.Place.Quoted || strings.ContainsAny(p, "~$") || strings.HasPrefix(p, "..") {
				v.Severity = report.High
			}
		case l.Rule == "agent-memory" && t.label == 0 && w.U.F.WithoutOwn(strings.ToLower(p)) != strings.ToLower(p):
			return // its own data
		case (l.purpose != nil && l.purpose.MatchString(desc) || l.Rule == "agent-memory" && spelled(p, desc)) &&
			(t.label&(remote|decoded|secret) == 0 || t.label&(remote|decoded) == 0 && w.from(t, p)):
			v.Severity = report.Medium
		case l.what == "a shell's start file" && content != "" && harmlessLine.MatchString(content) && !baseURL.MatchString(content):
			v.Severity = report.Medium
		}
		w.add(l.Rule, line, v)
	}
}

// spelled: the description names the hidden file or folder of an agent's that is written, as a word.
func spelled(p, description string) bool {
	for e := range strings.SplitSeq(path.Clean(p), "/") {
		if e == ".." {
			return false
		}
		if len(e) < 5 || e[0] != '.' {
			continue
		}
		at := strings.Index(description, e)
		return at >= 0 && (at == 0 || strings.ContainsAny(description[at-1:at], " /`'\"(")) && !wordGoesOn.MatchString(description[at+len(e):])
	}
	return false
}

var wordGoesOn = lazyre.New(`^(?:[\w-]|\.\w)`)

// from: what is written was read there.
func (w *Pass) from(t taint, p string) bool {
	what, _ := w.private(p)
	return what != "" && what == t.what
}

// ofAgents: what a project tells agents is what the skill is about.
var ofAgents = source.Wording("memory.purpose")

// send is a value that leaves for an address. header says that it travels where credentials belong.
func (w *Pass) send(t taint, address string, header bool, line int) {
	host := source.HostOf(address)
	if t.label&(secret|envAll|cred|data) == 0 || host != "" && source.Local(host) {
		return
	}
	unnamed := t.where != "" && strings.Contains(address, "://") && !strings.ContainsAny(host, "${}") && !source.TrustedHost(host) &&
		!w.U.F.Named(host)
	to := "the network"
	if host != "" && !strings.ContainsAny(host, "${}") {
		to = source.Short(host, 60)
	}
	switch {
	case t.is(secret):
		v := report.With{Meaning: fmt.Sprintf("%s, read at %s, goes to %s.", Upper(t.what), t.where, to)}
		if header && strings.Contains(t.what, "(.env)") && host != "" && w.U.F.Named(host) && source.Catcher(host) == "" {
			v.Severity = report.Medium // a key of the project's, where a service wants its own
		}
		w.add("secret-exfiltration", line, v)
	case t.is(envAll):
		w.add("secret-exfiltration", line, report.With{Meaning: fmt.Sprintf("The environment, read at %s, goes to %s.", t.where, to)})
	default:
		for _, c := range t.creds {
			if !header && neverLeaves.MatchString(c) {
				w.add("secret-exfiltration", line, report.With{Meaning: fmt.Sprintf("%s, a key that only signs, goes to %s.", c, to),
					Severity: report.High})
				continue
			}
			if why := source.Elsewhere(c, host); why != "" {
				v := report.With{Meaning: why}
				if header && source.Catcher(host) == "" && !source.ChatHook(address) {
					v.Severity = report.Medium
				}
				w.add("credential-elsewhere", line, v)
			}
		}
		if source.Catcher(host) != "" && source.Catcher(host) != "bare number" || source.ChatHook(address) && !header && !allHooks(t.creds) {
			w.add("secret-exfiltration", line, report.With{Meaning: fmt.Sprintf("%s goes to %s.", strings.Join(t.creds, ", "), to),
				Severity: report.High})
		} else if unnamed && t.is(cred) && !header && !belongs(t.creds, host) {
			w.add("secret-exfiltration", line, report.With{Severity: report.High,
				Meaning: fmt.Sprintf("%s, read at %s, goes to %s, which SKILL.md does not name.", strings.Join(t.creds, ", "), t.where, to)})
		} else if unnamed && t.is(data) && !header {
			w.add("data-leaves", line, report.With{
				Meaning: fmt.Sprintf("What is read at %s goes to %s, which SKILL.md does not name.", t.where, to)})
		} else if t.is(cred) && !header && (host == "" || strings.ContainsAny(host, "${}")) && !belongs(t.creds, w.U.F.About) {
			w.add("data-leaves", line, report.With{Meaning: fmt.Sprintf("%s goes to an address that is only known when it runs.",
				strings.Join(t.creds, ", "))})
		} else if len(t.creds) > 2 && !header {
			w.add("secret-exfiltration", line, report.With{Meaning: fmt.Sprintf("%d credentials go to %s together.", len(t.creds), to),
				Severity: report.High})
		}
	}
}

// belongs: every key is named after the service that it goes to, or after what the skill is about.
func belongs(creds []string, host string) bool {
	for _, c := range creds {
		first, _, _ := strings.Cut(strings.ToLower(c), "_")
		if len(first) < 3 || !strings.Contains(host, first) || first == "api" || first == "auth" || first == "access" || first == "secret" {
			return false
		}
	}
	return true
}

// neverLeaves are keys that are used where they are: who has them has what they sign for.
var neverLeaves = source.Re(`(?i)private_?key|mnemonic|seed_?phrase|wallet_?(?:key|secret)|secret_?recovery`)

// allHooks: a webhook's own address is no secret that goes there.
func allHooks(names []string) bool {
	for _, n := range names {
		u := strings.ToUpper(n)
		if !strings.Contains(u, "WEBHOOK") && !strings.Contains(u, "TELEGRAM") && !strings.Contains(u, "BOT") && !strings.Contains(u, "SLACK") &&
			!strings.Contains(u, "DISCORD") {
			return false
		}
	}
	return true
}

func Upper(s string) string {
	if s == "" {
		return "A secret"
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// execute is a value that is run.
func (w *Pass) execute(t taint, line int) {
	switch {
	case t.is(remote) && t.is(known):
		w.add("known-installer", line, report.With{})
	case t.is(remote):
		v := report.With{}
		if t.url != "" {
			v.Meaning = "What " + source.Short(source.HostOf(t.url), 80) + " answers is run."
		}
		w.add("fetch-execute", line, v)
	case t.is(decoded):
		w.add("encoded-execute", line, report.With{})
	}
}
