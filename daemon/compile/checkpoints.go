package compile

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"showhow/capture"
)

// candidate is a state that the demonstration reached and that could become a checkpoint.
type candidate struct {
	Checkpoint
	seg    *segment
	effect bool
	inputs []string // inputs it mentions: they tell the right thing from a wrong one
	last   bool
}

// mine finds for every segment the observable state that it ended in. A segment without one gives nothing.
func mine(s *study, n *names, segs []*segment) []*candidate {
	var out []*candidate
	var earlier []*step
	for _, seg := range segs {
		if seg.outcome != nil {
			m := miner{s: s, n: n, st: seg.outcome, seg: seg, g: s.gens[seg.outcome.trace], earlier: earlier}
			if c := m.candidate(); c != nil {
				out = append(out, c)
			}
		}
		earlier = append(earlier, seg.steps...)
		earlier = earlier[max(0, len(earlier)-40):]
	}
	if len(out) > 0 {
		out[len(out)-1].last = true
	}
	return out
}

// miner looks at one outcome. Its parts are sentences with their checks; templates go in, text comes out.
type miner struct {
	s       *study
	n       *names
	g       *generaliser
	st      *step
	seg     *segment
	earlier []*step
	parts   []string
	checks  []Check
	inputs  []string
}

func (m *miner) candidate() *candidate {
	goal := ""
	effect := effective(m.st)
	a := m.st.act
	switch {
	case a.file != nil && a.verb != capture.Upload:
		goal = m.download()
	case a.command != nil:
		goal = m.commandRan()
	case effect:
		goal = m.formSent()
	default:
		goal = m.pageShown()
	}
	if goal == "" || len(m.checks) == 0 {
		return nil
	}
	c := &candidate{seg: m.seg, effect: effect, inputs: m.inputs}
	c.Goal, c.SuccessCondition = cut(goal, 240), cut(upperFirst(sentences(m.parts))+".", 240)
	c.StepID, c.Evidence, c.Effect = m.st.StepID, a.events(), effect
	c.Check = &m.checks[0]
	c.MoreChecks = m.checks[1:]
	return c
}

// sentences joins what must hold together; a comma keeps parts apart that hold an "and" of their own.
func sentences(parts []string) string {
	if len(parts) < 2 || !slices.ContainsFunc(parts, func(s string) bool { return strings.Contains(s, " and ") }) {
		return andList(parts)
	}
	return strings.Join(parts[:len(parts)-1], ", ") + ", and " + parts[len(parts)-1]
}

// add puts a sentence and its check to the checkpoint. tmpl is what of the sentence may hold inputs.
func (m *miner) add(sentence string, check Check, tmpls ...string) {
	for _, t := range tmpls {
		for _, id := range m.n.inputsOf(t) {
			if !slices.Contains(m.inputs, id) {
				m.inputs = append(m.inputs, id)
			}
		}
	}
	if sentence != "" {
		m.parts = append(m.parts, sentence)
	}
	m.checks = append(m.checks, check)
}

func (m *miner) download() string {
	f := m.st.act.file
	name := m.n.prose(m.st.file)
	ext := extOf(f)
	kind := strings.ToUpper(strings.TrimPrefix(ext, "."))
	sentence := fmt.Sprintf("the file %s is in the download folder and is not empty", name)
	if kind != "" && !strings.HasSuffix(strings.ToLower(name), ext) {
		sentence = fmt.Sprintf("the %s file %s is in the download folder and is not empty", kind, name)
	}
	m.add(sentence, Check{Kind: "file", Expect: m.n.machine(m.st.file), MinBytes: 1, Extra: map[string]string{"where": "downloads", "ext": ext}}, m.st.file)
	return fmt.Sprintf("The file %s is downloaded", name)
}

func (m *miner) commandRan() string {
	c := m.st.act.command
	l := readLine(c)
	prog, shown := m.st.program, l.shown(m.st.program)
	if n := len(l.programs); n == len(m.st.runs) && n > 1 && n < 5 && !l.opaque && strings.Contains(c.Line, "|") && !strings.ContainsAny(c.Line, ";&") {
		prog, shown = l.programs[n-1], strings.Join(l.programs, " | ") // the exit code is the last one's
	}
	var files []string
	for _, made := range l.makes() {
		files = append(files, m.made(made))
	}
	for _, f := range newFiles(m.st.act) {
		if t := m.g.text(f); !slices.Contains(files, t) && !slices.ContainsFunc(files, func(o string) bool { return path.Base(o) == t }) {
			files = append(files, t)
		}
	}
	for _, f := range files {
		base := f
		if !strings.ContainsRune(path.Ext(f), refOpen) {
			base = path.Base(f)
		}
		m.add(fmt.Sprintf("the file %s exists and is not empty", m.n.prose(base)),
			Check{Kind: "file", Expect: m.n.machine(f), MinBytes: 1, Extra: map[string]string{"where": "cwd", "ext": path.Ext(m.n.machine(base))}}, f)
	}
	gone := m.goneFiles()
	sentence := fmt.Sprintf("`%s` ended without an error (exit code %d)", shown, c.Exit)
	if len(files)+len(gone) > 0 {
		sentence = fmt.Sprintf("`%s` ended with exit code %d", shown, c.Exit)
	}
	m.add(sentence, Check{Kind: "exit_code", Name: prog, Expect: itoa(c.Exit)}, m.st.command)
	if len(files) > 0 {
		return fmt.Sprintf("The file %s is written", m.n.prose(files[0]))
	}
	if len(gone) > 0 {
		return fmt.Sprintf("The file %s is no longer where it was", m.n.prose(gone[0]))
	}
	return orThe(doneByCommand[shown], fmt.Sprintf("`%s` has finished", shown))
}

// goneFiles are the files that a command took away: moved or deleted.
func (m *miner) goneFiles() []string {
	var out []string
	a := m.st.act
	for _, f := range a.stateBefore().Files {
		if slices.ContainsFunc(a.state().Files, func(o capture.File) bool { return o.Name == f.Name }) || strings.HasPrefix(f.Name, ".") || f.Name == "" || len(out) == 3 {
			continue
		}
		t := m.g.text(f.Name)
		m.add(fmt.Sprintf("the file %s is no longer in the folder", m.n.prose(t)), Check{Kind: "file", Expect: m.n.machine(t), Gone: true, Extra: map[string]string{"where": "cwd"}}, t)
		out = append(out, t)
	}
	return out
}

// made is the template of a file that a redirection wrote; word holds references to links.
func (m *miner) made(word string) string {
	return m.g.word(word)
}

func (m *miner) formSent() string {
	a := m.st.act
	m.savedFields()
	m.rows(true)
	if seen := len(m.checks); seen == 0 || len(m.n.inputsOf(m.heading(false))) > 0 {
		m.headingAndURL(false)
	}
	m.dialogGone()
	for _, msg := range fresh(a.stateBefore().Alerts, a.state().Alerts) {
		if failing(msg) {
			continue
		}
		t := m.message(msg)
		m.add(fmt.Sprintf(`the message "%s" is shown`, m.n.prose(t)), Check{Kind: "alert", Expect: m.n.machine(t)}, t)
		break
	}
	m.newFileNote()
	if len(m.parts) == 0 {
		return ""
	}
	if prepares(m.st) {
		return m.pageGoal(m.heading(true))
	}
	return m.announced()
}

// announced is the page's own word for what was done, when it says it in a short sentence; else the button's promise.
func (m *miner) announced() string {
	for _, msg := range fresh(m.st.act.stateBefore().Alerts, m.st.act.state().Alerts) {
		first, _, _ := strings.Cut(squeeze(msg), ". ")
		first = strings.TrimRight(first, ".! ")
		if t := m.message(first); !failing(msg) && !strings.Contains(t, anyRef) && len(words(first)) >= 2 && len(first) <= 80 && strings.IndexFunc(first, unicode.IsLower) > 0 {
			return upperFirst(m.n.prose(t))
		}
	}
	return deed(m.st)
}

func (m *miner) newFileNote() {
	for _, f := range newFiles(m.st.act) {
		t := m.g.text(f)
		m.add(fmt.Sprintf("the file %s exists", m.n.prose(t)), Check{Kind: "file", Expect: m.n.machine(t), MinBytes: 1}, t)
	}
}

// savedFields finds where the page shows a value that was entered in this part of the work: the effect, not the message.
func (m *miner) savedFields() {
	before, after := m.st.act.stateBefore(), m.st.act.state()
	if pathOf(before.URL) == pathOf(after.URL) {
		return // the form itself, still open: what it shows is what was typed, not what was saved
	}
	for _, f := range after.Fields {
		if f.Value == nil || f.Value.LinkID == "" && f.Value.Text == "" {
			continue
		}
		t := m.g.links[f.Value.LinkID]
		if t == "" {
			t = m.g.text(m.s.open(f.Value))
		}
		if len(m.n.inputsOf(t)) == 0 && !m.constantOf(t) || !m.enteredHere(t) {
			continue
		}
		label := clean(m.n.prose(m.g.text(f.Label)))
		m.add(fmt.Sprintf(`"%s" shows %s`, label, m.n.prose(t)), Check{Kind: "field_value", Name: label, Expect: m.n.machine(t)}, t)
		if len(m.checks) == 4 {
			break
		}
	}
}

func (m *miner) constantOf(t string) bool {
	ids := refsOf(t)
	return len(ids) == 1 && m.n.params[ids[0]] != nil && m.n.params[ids[0]].Role == roleConstant
}

func (m *miner) enteredHere(t string) bool {
	for _, st := range m.seg.steps {
		if st.value == t {
			return true
		}
	}
	return false
}

// remembered is the state before the act; when the act led back to a page with a table that was seen earlier, that table as
// it was then is part of it, so that what became of its rows can be told.
func (m *miner) remembered() *capture.State {
	a := m.st.act
	before := *a.stateBefore()
	if !effective(m.st) || pathOf(before.URL) == pathOf(a.url()) {
		return &before
	}
	before.Tables = slices.Clone(before.Tables)
	for i := len(m.earlier) - 1; i >= 0; i-- {
		for _, s := range []*capture.State{m.earlier[i].act.after, m.earlier[i].act.before} {
			if s != nil && pathOf(s.URL) == pathOf(a.url()) {
				before.Tables = append(before.Tables, s.Tables...)
				return &before
			}
		}
	}
	return &before
}

// rows tells a list that grew or shrank; effect says whether that is what was wanted or a search's result.
func (m *miner) rows(effect bool) {
	a := m.st.act
	for _, rc := range rowChanges(m.remembered(), a.state()) {
		name := m.g.text(orThe(tableName(rc.table), m.heading(true)))
		called := "the list"
		if name != "" {
			called = fmt.Sprintf(`the list "%s"`, m.n.prose(name))
		}
		columns := strings.Join(rc.table.Columns, "; ")
		if !effect || rc.isNew {
			if rc.table.Rows > 0 && (!effect || rc.isNew && searches(m.st)) {
				m.add(called+" shows at least one row", Check{Kind: "row_count", Name: m.n.machine(name), Extra: map[string]string{"min": "1", "columns": columns}}, name)
			}
			continue
		}
		delta := rc.table.Rows - rc.before
		word := map[bool]string{true: "more", false: "fewer"}[delta > 0]
		count := delta
		if count < 0 {
			count = -count
		}
		m.add(fmt.Sprintf("%s has %s %s than before", called, rowsWord(count), word), Check{Kind: "row_count", Name: m.n.machine(name), Delta: delta, Extra: map[string]string{"columns": columns}}, name)
	}
}

func rowsWord(n int) string {
	if n == 1 {
		return "one row"
	}
	return itoa(n) + " rows"
}

func (m *miner) dialogGone() {
	a := m.st.act
	for _, d := range fresh(a.state().Dialogs, a.stateBefore().Dialogs) {
		t := m.g.text(d)
		m.add(fmt.Sprintf(`the dialog "%s" is closed`, m.n.prose(t)), Check{Kind: "dialog", Name: m.n.machine(t), Expect: m.n.machine(t), Gone: true})
		return
	}
}

// pageShown is the goal of a step that led somewhere.
func (m *miner) pageShown() string {
	a := m.st.act
	if ds := fresh(a.stateBefore().Dialogs, a.state().Dialogs); len(ds) > 0 {
		t := m.g.text(ds[0])
		m.add(fmt.Sprintf(`the dialog "%s" is open`, m.n.prose(t)), Check{Kind: "dialog", Name: m.n.machine(t), Expect: m.n.machine(t)}, t)
		return fmt.Sprintf(`The dialog "%s" is open`, m.n.prose(t))
	}
	if searches(m.st) && m.st.Verb == capture.Submit {
		m.rows(false)
		m.headingAndURL(false)
		if address := m.address(m.st.act.url()); len(m.n.inputsOf(address)) > 0 || len(m.checks) == 0 {
			m.add("the address is "+m.n.prose(address), Check{Kind: "url", Expect: m.n.machine(address)}, address)
		}
		return "The results for " + andList(m.searched()) + " are shown"
	}
	goal := m.headingAndURL(true)
	if goal == "" {
		m.rows(false)
		if len(m.parts) > 0 {
			goal = upperFirst(m.parts[0])
		}
	}
	if goal == "" {
		for _, msg := range fresh(a.stateBefore().Alerts, a.state().Alerts) {
			t := m.message(msg)
			m.add(fmt.Sprintf(`the message "%s" is shown`, m.n.prose(t)), Check{Kind: "alert", Expect: m.n.machine(t)}, t)
			return upperFirst(m.parts[0])
		}
	}
	return goal
}

func (m *miner) searched() []string {
	var out []string
	for _, st := range m.seg.steps {
		if st.act.supplies() {
			out = append(out, m.n.prose(st.value))
		}
	}
	if len(out) == 0 {
		out = append(out, "the search")
	}
	return out
}

// headingAndURL tells a page by its heading and its address. Without always, only what changed is told.
func (m *miner) headingAndURL(always bool) (goal string) {
	a := m.st.act
	b, after := a.stateBefore(), a.state()
	moved := after.URL != "" && pathOf(b.URL) != pathOf(after.URL) && (b.URL != "" || a.moved)
	heading := m.heading(always && (moved || a.moved))
	if heading != "" {
		goal = m.pageGoal(heading)
		m.add(fmt.Sprintf(`the heading reads "%s"`, m.n.prose(heading)), Check{Kind: "heading", Expect: m.n.machine(heading)}, heading)
	}
	if searches(m.st) && m.st.Verb == capture.Submit {
		return goal // the caller tells the address
	}
	if address := m.address(after.URL); address != "" && (moved || always && a.moved) {
		m.add(fmt.Sprintf("the address is %s", m.n.prose(address)), Check{Kind: "url", Expect: m.n.machine(address)}, address)
		if goal == "" {
			goal = m.titleGoal(after, address)
		}
	}
	return goal
}

func (m *miner) titleGoal(after *capture.State, address string) string {
	if after.Title != "" {
		return fmt.Sprintf(`The page "%s" is open`, m.n.prose(m.g.text(after.Title)))
	}
	return fmt.Sprintf("The page %s is open", m.n.prose(address))
}

// heading is the template of the heading that tells this page from the one before; fallback allows one that was there already.
func (m *miner) heading(fallback bool) string {
	first := func(a *act) string {
		b, after := a.stateBefore(), a.state()
		if f := fresh(b.Headings, after.Headings); len(f) > 0 {
			return squeeze(f[0])
		}
		if fallback && len(after.Headings) > 0 {
			return squeeze(after.Headings[0])
		}
		return ""
	}
	return m.inAll(first, idLike)
}

// message is a message's template; any number in it may be another one next time.
func (m *miner) message(msg string) string {
	like := func(a *act) string { // the message of another demonstration that is at the same place in its list
		at := slices.Index(fresh(m.st.act.stateBefore().Alerts, m.st.act.state().Alerts), msg)
		if all := fresh(a.stateBefore().Alerts, a.state().Alerts); a != m.st.act && at >= 0 && at < len(all) {
			return strings.TrimRight(squeeze(all[at]), ".")
		}
		if a == m.st.act {
			return strings.TrimRight(squeeze(msg), ".")
		}
		return ""
	}
	return m.inAll(like, func(w string) bool { return digits(w) > 0 })
}

// inAll is a text's template as far as it holds in every demonstration: words that differ, and words that vary by their
// looks, become anything. A template without a readable word is none.
func (m *miner) inAll(text func(*act) string, varies func(string) bool) string {
	out := ""
	for t, a := range m.st.col.acts {
		if a == nil {
			continue
		}
		s := text(a)
		if s == "" {
			continue
		}
		tmpl := loosen(m.s.gens[t].text(s), varies)
		if out == "" {
			out = tmpl
		} else {
			out = common(out, tmpl)
		}
	}
	if letters(refForm.ReplaceAllString(out, "")) == 0 && len(refsOf(out)) == 0 {
		return ""
	}
	return out
}

// loosen makes every word that varies by its looks stand for anything.
func loosen(tmpl string, varies func(string) bool) string {
	ws := strings.Fields(tmpl)
	for i, w := range ws {
		core := strings.Trim(w, ".,;:!?()\"'")
		if !strings.ContainsRune(w, refOpen) && core != "" && varies(core) {
			ws[i] = strings.Replace(w, core, anyRef, 1)
		}
	}
	return strings.Join(ws, " ")
}

// common is what two templates share, word by word; a stretch that differs stands for anything.
func common(a, b string) string {
	if a == b {
		return a
	}
	x, y := strings.Fields(a), strings.Fields(b)
	i := 0
	for i < len(x) && i < len(y) && x[i] == y[i] {
		i++
	}
	j := 0
	for j < len(x)-i && j < len(y)-i && x[len(x)-1-j] == y[len(y)-1-j] {
		j++
	}
	out := append(slices.Clone(x[:i]), anyRef)
	return strings.Join(append(out, x[len(x)-j:]...), " ")
}

// pageGoal says a page as people do: "Order {order}" is the page of order {order}.
func (m *miner) pageGoal(heading string) string {
	if ids := refsOf(heading); len(ids) == 1 && strings.HasSuffix(heading, ref(ids[0])) {
		noun := strings.TrimSpace(strings.TrimSuffix(heading, ref(ids[0])))
		if p := m.n.params[ids[0]]; len(strings.Fields(noun)) == 1 && p != nil && strings.EqualFold(noun, p.Label) {
			return fmt.Sprintf("The page of %s %s is open", lowerFirst(noun), m.n.prose(ref(ids[0])))
		}
	}
	return fmt.Sprintf(`The page "%s" is open`, m.n.prose(heading))
}

// address is the template of a path, with those query values that inputs give.
func (m *miner) address(url string) string {
	if url == "" {
		return ""
	}
	parts := strings.Split(m.g.text(pathOf(url)), "/")
	for i, p := range parts {
		if !strings.ContainsRune(p, refOpen) && idLike(p) {
			parts[i] = anyRef
		}
	}
	out := strings.Join(parts, "/")
	var query []string
	for _, kv := range strings.Split(queryOf(url), "&") {
		k, _, _ := strings.Cut(kv, "=")
		if t := m.g.text(kv); len(m.n.inputsOf(t)) > 0 && !strings.ContainsRune(k, refOpen) {
			query = append(query, t)
		}
	}
	if len(query) > 0 {
		out += "?" + strings.Join(query, "&")
	}
	return out
}
