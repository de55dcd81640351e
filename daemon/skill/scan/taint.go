package scan

import (
	"context"
	"fmt"
	"path"
	"strings"
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
	if t.what == "" {
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
		if len(t.creds) < 8 && !contains(t.creds, c) {
			t.creds = append(t.creds[:len(t.creds):len(t.creds)], c)
		}
	}
	return t
}

func contains(s []string, x string) bool {
	for _, v := range s {
		if v == x {
			return true
		}
	}
	return false
}

// unit is one piece of code: a script, a code block of a document, text that was decoded.
type unit struct {
	f     *file
	line  int // of its first line
	place place
	scope string // variables are shared in it
	run   func(*flow)
	note  string // "", or where the code was hidden
}

// world is what flows between pieces of code: variables, files that are written, functions.
type world struct {
	vars   map[string]taint
	texts  map[string]string // variables with one known text
	files  map[string]taint
	funcs  map[string]taint
	params map[string][]string
	ours   map[string]bool // base names of the bundle's own files
	grown  int             // how often something new was learnt
	asked  map[fact]bool   // what was looked up that another file may know

	privates map[string]keeping // what is kept at a path, once looked up
	lastings map[string]int     // the entry of lasting for a path, -1 for none
}

// fact is something that one file of a bundle can know of another.
type fact struct {
	of   factKind
	name string
}

type factKind uint8

const (
	content    factKind = iota // of a file
	result                     // of a function
	parameters                 // of a function
)

func newWorld(ours map[string]bool) *world {
	return &world{vars: map[string]taint{}, texts: map[string]string{}, files: map[string]taint{}, funcs: map[string]taint{},
		params: map[string][]string{},
		ours:   ours, asked: map[fact]bool{}, privates: map[string]keeping{}, lastings: map[string]int{}}
}

// made is what a file holds that the bundle's code wrote; false when it wrote none of that name.
func (w *world) made(p string) (taint, bool) {
	k := fileKey(p)
	w.ask(fact{content, k})
	t, ok := w.files[k]
	return t, ok
}

// holds is made for whom it does not matter who wrote it.
func (w *world) holds(p string) taint {
	t, _ := w.made(p)
	return t
}

// returns is what a function of the bundle's returns; false when it has none of that name.
func (w *world) returns(name string) (taint, bool) {
	w.ask(fact{result, name})
	t, ok := w.funcs[name]
	return t, ok
}

// paramsOf are the variables that a function's arguments go into.
func (w *world) paramsOf(name string) []string {
	w.ask(fact{parameters, name})
	return w.params[name]
}

func (w *world) ask(f fact) {
	if !w.asked[f] {
		w.asked[f] = true
	}
}

// known are the facts that others may ask for.
func (w *world) known() []fact {
	var out []fact
	for k := range w.files {
		out = append(out, fact{content, k})
	}
	for k := range w.funcs {
		out = append(out, fact{result, k})
	}
	for k, names := range w.params {
		if len(names) > 0 {
			out = append(out, fact{parameters, k})
		}
	}
	return out
}

type keeping struct {
	what  string
	usual bool
}

// private is the function of that name, remembered.
func (w *world) private(p string) (string, bool) {
	k, ok := w.privates[p]
	if !ok {
		k.what, k.usual = private(p)
		w.privates[p] = k
	}
	return k.what, k.usual
}

// lasts is the entry of lasting for a path, nil for an ordinary one.
func (w *world) lasts(p string) int {
	i, ok := w.lastings[p]
	if !ok {
		i = -1
		for j := range lasting {
			if lasting[j].re.MatchString(p) {
				i = j
				break
			}
		}
		w.lastings[p] = i
	}
	return i
}

// flow is one pass over one unit. Facts only grow; what was reported once is not reported again.
type flow struct {
	*world
	u        *unit
	unpacked taint // an archive from elsewhere was unpacked here
	depth    int
}

// passes are enough for a value to travel through that many files in the wrong order.
const passes = 4

// flows follows values from file to file. Each was followed by itself before (follow), so only those are left of which one
// asks what another knows; they are gone through together, in the files' order.
func (b *bundle) flows(ctx context.Context) {
	if joined := b.joined(); len(joined) > 0 {
		newWorld(b.ours).follow(ctx, joined)
	}
}

// joined are the files that ask others, and the files that these ask.
func (b *bundle) joined() []*file {
	knows := map[fact][]int{}
	for i, f := range b.files {
		if f.world != nil {
			for _, x := range f.world.known() {
				knows[x] = append(knows[x], i)
			}
		}
	}
	in := make([]bool, len(b.files))
	for i, f := range b.files {
		if f.world == nil {
			continue
		}
		for x := range f.world.asked {
			for _, j := range knows[x] {
				if i != j {
					in[i], in[j] = true, true
				}
			}
		}
	}
	var out []*file
	for i, f := range b.files {
		if in[i] {
			out = append(out, f)
		}
	}
	return out
}

// follow goes through the code of files until nothing new is known.
func (w *world) follow(ctx context.Context, files []*file) {
	for range passes {
		before := w.grown
		for _, f := range files {
			if ctx.Err() != nil {
				return
			}
			for _, u := range f.code {
				w.step(f, u)
			}
		}
		if w.grown == before {
			return
		}
	}
}

func (w *world) step(f *file, u *unit) {
	defer func() {
		if recover() != nil {
			f.add("unread", u.line, "", with{meaning: "The code makes its parser fail.", severity: High})
		}
	}()
	u.run(&flow{world: w, u: u})
}

func (w *flow) key(name string) string { return w.u.scope + "\x00" + name }

func (w *flow) get(name string) taint { return w.vars[w.key(name)] }

func (w *flow) set(name string, t taint) {
	if name == "" || t.label == 0 && t.path == "" {
		return
	}
	w.grow(w.vars, w.key(name), t)
}

// grow adds to what is known of a variable, file or function.
func (w *world) grow(m map[string]taint, k string, t taint) {
	old := m[k]
	now := old.and(t)
	if now.label != old.label || now.path != old.path || len(now.creds) != len(old.creds) {
		w.grown++
	}
	m[k] = now
}

// setText notes a variable's text; one that is set twice has none.
func (w *flow) setText(name, text string) {
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

func (w *flow) textOf(name string) string { return w.texts[w.key(name)] }

// add reports, weighed by where the code stands: an example of an attack in a skill about attacks is for review.
func (w *flow) add(rule string, line int, v with) {
	if v.severity == "" {
		v.severity = byID[rule].Severity
	}
	p := w.u.place
	if p.quoted && p.cue() {
		v.severity = atMost(v.severity, Medium)
		if w.u.f.teaches {
			v.severity = atMost(v.severity, Low)
		}
	} else if p.quoted && w.u.f.teaches && v.severity == Medium {
		v.severity = Low
	}
	if w.u.note != "" {
		w.u.f.add("encoded-payload", w.u.line, "", with{meaning: w.u.note + " it hides: " + byID[rule].Title + ".", severity: v.severity})
		return
	}
	w.u.f.add(rule, w.u.line+line-1, "", v)
}

func (w *flow) here(line int) string { return fmt.Sprintf("%s:%d", w.u.f.path, w.u.line+line-1) }

// read is the content of a file.
func (w *flow) read(p string, line int) taint {
	if p == "" {
		return taint{}
	}
	t := w.holds(p)
	if what, usual := w.private(p); what != "" {
		if usual {
			w.add("secret-access", line, with{meaning: "It reads " + what + ".", severity: Low})
		} else {
			w.add("secret-access", line, with{meaning: "It reads " + what + "."})
		}
		t = t.and(taint{label: secret, what: what, where: w.here(line)})
	}
	return t
}

func fileKey(p string) string {
	return strings.TrimPrefix(path.Base(strings.Trim(p, `"'`)), "./")
}

// write puts a value into a file.
func (w *flow) write(p, content string, t taint, line int) {
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
	if i := w.lasts(p); i >= 0 {
		l := &lasting[i]
		v := with{meaning: "It writes " + l.what + "."}
		desc := w.u.f.purpose()
		switch {
		case l.rule == "agent-memory-project":
			if !l.re.MatchString(desc) && !w.u.place.quoted || strings.ContainsAny(p, "~$") || strings.HasPrefix(p, "..") {
				v.severity = High
			}
		case l.purpose != nil && l.purpose.MatchString(desc) && t.label&(remote|decoded|secret) == 0:
			v.severity = Medium
		case l.what == "a shell's start file" && content != "" && harmlessLine.MatchString(content) && !baseURL.MatchString(content):
			v.severity = Medium
		}
		w.add(l.rule, line, v)
	}
}

// send is a value that leaves for an address. header says that it travels where credentials belong.
func (w *flow) send(t taint, address string, header bool, line int) {
	host := hostOf(address)
	if t.label&(secret|envAll|cred) == 0 || host != "" && local(host) {
		return
	}
	to := "the network"
	if host != "" && !strings.ContainsAny(host, "${}") {
		to = short(host, 60)
	}
	switch {
	case t.is(secret):
		v := with{meaning: fmt.Sprintf("%s, read at %s, goes to %s.", upper(t.what), t.where, to)}
		w.add("secret-exfiltration", line, v)
	case t.is(envAll):
		w.add("secret-exfiltration", line, with{meaning: fmt.Sprintf("The environment, read at %s, goes to %s.", t.where, to)})
	default:
		for _, c := range t.creds {
			if !header && neverLeaves.MatchString(c) {
				w.add("secret-exfiltration", line, with{meaning: fmt.Sprintf("%s, a key that only signs, goes to %s.", c, to), severity: High})
				continue
			}
			if why := elsewhere(c, host); why != "" {
				v := with{meaning: why}
				if header && catcher(host) == "" && !chatHook(address) {
					v.severity = Medium
				}
				w.add("credential-elsewhere", line, v)
			}
		}
		if catcher(host) != "" && catcher(host) != "bare number" || chatHook(address) && !header && !allHooks(t.creds) {
			w.add("secret-exfiltration", line, with{meaning: fmt.Sprintf("%s goes to %s.", strings.Join(t.creds, ", "), to), severity: High})
		} else if len(t.creds) > 2 && !header {
			w.add("secret-exfiltration", line, with{meaning: fmt.Sprintf("%d credentials go to %s together.", len(t.creds), to), severity: High})
		}
	}
}

// neverLeaves are keys that are used where they are: who has them has what they sign for.
var neverLeaves = re(`(?i)private_?key|mnemonic|seed_?phrase|wallet_?(?:key|secret)|secret_?recovery`)

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

func upper(s string) string {
	if s == "" {
		return "A secret"
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// execute is a value that is run.
func (w *flow) execute(t taint, line int) {
	switch {
	case t.is(remote) && t.is(known):
		w.add("known-installer", line, with{})
	case t.is(remote):
		v := with{}
		if t.url != "" {
			v.meaning = "What " + short(hostOf(t.url), 80) + " answers is run."
		}
		w.add("fetch-execute", line, v)
	case t.is(decoded):
		w.add("encoded-execute", line, with{})
	}
}
