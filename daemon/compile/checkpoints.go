package compile

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"showhow/capture"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// candidate is a state that the demonstration reached and that could become a checkpoint.
type candidate struct {
	workflow.Checkpoint
	seg    *segment
	effect bool
	inputs []string // inputs it mentions: they tell the right thing from a wrong one
	said   []string // what the condition says of each check
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
	proves  bool // a page that was only opened shows what was changed before
	parts   []string
	checks  []workflow.Check
	said    []string // the part of each check
	inputs  []string
}

func (m *miner) candidate() *candidate {
	goal := ""
	effect := effective(m.st)
	a := m.st.act
	switch {
	case a.midi != nil:
		goal = m.played()
	case a.isCall():
		goal = m.called()
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
	effect = effect || m.proves
	c := &candidate{seg: m.seg, effect: effect, inputs: m.inputs, said: m.said}
	c.Goal, c.SuccessCondition = cut(goal, 240), cut(plain.UpperFirst(sentences(m.parts))+".", 240)
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
func (m *miner) add(sentence string, check workflow.Check, tmpls ...string) {
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
	m.checks, m.said = append(m.checks, check), append(m.said, sentence)
}

// played is the goal of playing: nothing of it can be seen by a program, and the skill says so.
func (m *miner) played() string {
	m.add("the user confirms that the sound or the controlled program does what the playing was for", workflow.Check{Kind: "manual", Expect: "what was played has had its effect"})
	return "What was played has had its effect"
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
	m.add(sentence, workflow.Check{Kind: "file", Expect: m.n.machine(m.st.file), MinBytes: 1, Extra: map[string]string{"where": "downloads", "ext": ext}}, m.st.file)
	return fmt.Sprintf("The file %s is downloaded", name)
}

func (m *miner) commandRan() string {
	c := m.st.act.command
	l := readLine(c)
	prog, shown := m.st.program, l.shown(m.st.program)
	if len(l.programs) > 0 && controlWordsOfShell[prog] {
		prog, shown = l.programs[0], l.programs[0] // a loop is no program: what it runs is
	}
	if n := len(l.programs); n == len(m.st.runs) && n > 1 && n < 5 && !l.opaque && strings.Contains(c.Line, "|") && !strings.ContainsAny(c.Line, ";&") {
		prog, shown = l.programs[n-1], strings.Join(l.programs, " | ") // the exit code is the last one's
	}
	into := l.goesTo()
	if into != "" {
		prog, shown = l.programs[1], l.programs[1]
		into = m.g.word(into)
	}
	var files []string
	for _, made := range l.makes() {
		files = append(files, m.made(made))
		m.fileThere(files[len(files)-1], into)
	}
	said, any := len(files), l.globbed()
	for i, f := range filesOf(m.st.act) {
		if t := m.g.text(f.Name); m.always(i, t) && !m.ofList(f.Name) && !(any && !strings.Contains(c.Line, f.Name)) && !slices.ContainsFunc(files, func(o string) bool { return o == t || path.Base(o) == t }) && len(files) < said+maxFilesTold {
			files = append(files, t)
			m.fileThere(t, m.elsewhere(f))
		}
	}
	if any && len(files) == 0 {
		m.oneOfTheirs(c, l)
	}
	var gone []string
	if !any {
		gone = m.goneFiles()
	}
	if c.Running {
		m.add(fmt.Sprintf("the program `%s` is running", prog), workflow.Check{Kind: "process", Name: prog}, m.st.command)
		return fmt.Sprintf("`%s` is running", shown)
	}
	for _, r := range m.st.act.recs {
		if child := r.Action.Command; r.Event.AdapterKind == capture.ProcessLaunch && child != nil && child.Running && !strings.ContainsRune(m.g.word(programOf(child)), refOpen) {
			m.add(fmt.Sprintf("the program `%s` is running", programOf(child)), workflow.Check{Kind: "process", Name: programOf(child)})
			break
		}
	}
	sentence := fmt.Sprintf("`%s` ended without an error (exit code %d)", shown, c.Exit)
	if c.Exit != 0 {
		sentence = fmt.Sprintf("`%s` ended with exit code %d", shown, c.Exit)
	}
	m.add(sentence, workflow.Check{Kind: "exit_code", Name: prog, Expect: strconv.Itoa(c.Exit)}, m.st.command)
	if len(files) > 0 {
		return fmt.Sprintf("The file %s is written", m.n.prose(files[0]))
	}
	if len(gone) > 0 {
		return fmt.Sprintf("The file %s is no longer where it was", m.n.prose(gone[0]))
	}
	return cmp.Or(doneByCommand[shown], fmt.Sprintf("`%s` has run without an error", shown))
}

// oneOfTheirs tells what a line made of whatever a pattern found: that there is one of their kind where they went.
func (m *miner) oneOfTheirs(c *capture.Command, l shellLine) {
	made := filesOf(m.st.act)
	if len(made) == 0 || slices.ContainsFunc(made, func(f capture.File) bool {
		return f.Dir || path.Ext(f.Name) != path.Ext(made[0].Name) || path.Dir(f.Path) != path.Dir(made[0].Path)
	}) {
		return
	}
	ext := path.Ext(made[0].Name)
	check := workflow.Check{Kind: "file", Expect: "{*}" + ext, MinBytes: 1, Extra: map[string]string{"where": "cwd", "ext": ext}}
	in := ""
	if folder := m.elsewhere(made[0]); folder != "" {
		check.Extra["where"], check.Extra["folder"] = "folder", m.n.machine(folder)
		in = " in the folder " + m.n.prose(folder)
	}
	if in == "" && slices.ContainsFunc(l.words, func(w shellWord) bool { return strings.HasSuffix(w.text, ext) }) {
		return // there were such files before
	}
	m.add(fmt.Sprintf("there is a %s file%s that is not empty", strings.TrimPrefix(ext, "."), in), check)
}

var controlWordsOfShell = set("for while until if case select")

// ofList reports whether a file is named after one of several that were given: another time there are others.
func (m *miner) ofList(name string) bool {
	stem := strings.TrimSuffix(name, path.Ext(name))
	return slices.ContainsFunc(m.s.params, func(p *param) bool {
		return p.List && slices.ContainsFunc(strings.Split(strings.Join(p.texts, "\n"), "\n"), func(one string) bool {
			return one != "" && (stem == path.Base(one) || stem == strings.TrimSuffix(path.Base(one), path.Ext(one)))
		})
	})
}

// maxFilesTold bounds the files of a command that a checkpoint tells of, besides those that its line names.
const maxFilesTold = 3

// fileThere tells a file that an act made; folder, when not empty, is where, else it is where the command ran.
func (m *miner) fileThere(file, folder string) {
	base := file
	if !strings.ContainsRune(path.Ext(file), refOpen) {
		base = path.Base(file)
	}
	check := workflow.Check{Kind: "file", Expect: m.n.machine(file), MinBytes: 1, Extra: map[string]string{"where": "cwd", "ext": path.Ext(m.n.machine(base))}}
	in := ""
	if folder != "" {
		check.Extra["where"], check.Extra["folder"] = "folder", m.n.machine(folder)
		in = " in the folder " + m.n.prose(folder)
	}
	m.add(fmt.Sprintf("the file %s exists%s and is not empty", m.n.prose(base), in), check, file, folder)
}

// always reports whether every demonstration made the i-th file under the same name, inputs aside.
func (m *miner) always(i int, tmpl string) bool {
	for t, a := range m.st.col.acts {
		if a == nil {
			continue
		}
		if files := filesOf(a); i >= len(files) || m.s.gens[t].text(files[i].Name) != tmpl {
			return false
		}
	}
	return true
}

// elsewhere is the template of the folder that a file is in, from the folder on that the person named, when that is not where
// the command ran. A path of this machine would be none of another's (CKP-007).
func (m *miner) elsewhere(f capture.File) string {
	c := m.st.act.command
	if dir := path.Dir(f.Path); f.Folder != "" && dir != "." && (c == nil || f.Folder != c.CwdFrom && (f.Folder != c.CwdTo || readLine(c).goesTo() != "")) {
		return m.g.text(dir)
	}
	return ""
}

// goneFiles are the files that a command took away: moved or deleted.
func (m *miner) goneFiles() []string {
	var out []string
	a := m.st.act
	for _, f := range a.stateBefore().Files {
		if slices.ContainsFunc(a.state().Files, func(o capture.File) bool { return o.Name == f.Name }) || strings.HasPrefix(f.Name, ".") || f.Name == "" || len(out) == 3 {
			continue
		}
		t, what, in := m.g.text(f.Name), "file", "the folder"
		if f.Dir {
			what = "folder"
		}
		extra := map[string]string{"where": "cwd"}
		if folder := m.elsewhere(f); folder != "" && f.Change != "moved" { // of a move, the folder is the new one
			extra, in = map[string]string{"where": "folder", "folder": m.n.machine(folder)}, "the folder "+m.n.prose(folder)
		}
		m.add(fmt.Sprintf("the %s %s is no longer in %s", what, m.n.prose(t), in), workflow.Check{Kind: "file", Expect: m.n.machine(t), Gone: true, Extra: extra}, t)
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
	m.toldOf()
	m.rows(true)
	if len(m.checks) == 0 {
		m.toldAnother()
	}
	if seen := len(m.checks); seen == 0 || len(m.n.inputsOf(m.heading(false))) > 0 {
		m.headingAndURL(false)
	}
	m.dialogGone()
	for _, msg := range fresh(a.stateBefore().Alerts, a.state().Alerts) {
		if failing(msg) {
			continue
		}
		t := m.message(msg)
		m.add(fmt.Sprintf(`the message "%s" is shown`, m.n.prose(t)), workflow.Check{Kind: "alert", Expect: m.n.machine(t)}, t)
		break
	}
	m.newFileNote()
	if len(m.parts) == 0 {
		m.sameAgain()
	}
	if len(m.parts) == 0 {
		return ""
	}
	if prepares(m.st) {
		return m.pageGoal(m.heading(true))
	}
	return m.announced()
}

// sameAgain tells what a page shows that is the same again after a form of it was sent: its message, else its heading. Whether
// the change was kept is seen when it is opened again (afterthought, and a rehearsal's second look).
func (m *miner) sameAgain() {
	if msg := firstOf(m.st.act.state().Alerts); msg != "" {
		if t := m.inAll(func(a *act) string { return firstOf(a.state().Alerts) }, func(w string) bool { return plain.Digits(w) > 0 }); t != "" && !failing(msg) {
			m.add(fmt.Sprintf(`the message "%s" is shown`, m.n.prose(t)), workflow.Check{Kind: "alert", Expect: m.n.machine(t)}, t)
		}
		return
	}
	if t := m.heading(true); t != "" && finishes(m.st) {
		m.add(fmt.Sprintf(`the heading still reads "%s"`, m.n.prose(t)), workflow.Check{Kind: "heading", Expect: m.n.machine(t)}, t)
	}
}

func firstOf(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return strings.TrimRight(plain.Squeeze(list[0]), ".")
}

// announced is the page's own word for what was done, when it says it in a short sentence; else the button's promise.
func (m *miner) announced() string {
	for _, msg := range fresh(m.st.act.stateBefore().Alerts, m.st.act.state().Alerts) {
		first, _, _ := strings.Cut(plain.Squeeze(msg), ". ")
		first = strings.TrimRight(first, ".! ")
		if t := m.message(first); !failing(msg) && !strings.Contains(t, anyRef) && len(plain.Words(first)) >= 2 && len(first) <= 80 && strings.IndexFunc(first, unicode.IsLower) > 0 {
			return plain.UpperFirst(m.n.prose(t))
		}
	}
	return deed(m.st)
}

func (m *miner) newFileNote() {
	for i, f := range filesOf(m.st.act) {
		t := m.g.text(f.Name)
		if folder := m.elsewhere(f); folder != "" && i < maxFilesTold {
			m.fileThere(t, folder)
		} else if folder == "" {
			m.add(fmt.Sprintf("the file %s exists", m.n.prose(t)), workflow.Check{Kind: "file", Expect: m.n.machine(t), MinBytes: 1}, t)
		}
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
		m.add(fmt.Sprintf(`"%s" shows %s`, label, m.n.prose(t)), workflow.Check{Kind: "field_value", Name: label, Expect: m.n.machine(t)}, t)
		if len(m.checks) == 4 {
			break
		}
	}
}

func (m *miner) constantOf(t string) bool {
	ids := refsOf(t)
	return len(ids) == 1 && m.n.params[ids[0]] != nil && m.n.params[ids[0]].Role == workflow.RoleConstant
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
		name := m.g.text(cmp.Or(tableName(rc.table), m.heading(true)))
		called := "the list"
		if name != "" {
			called = fmt.Sprintf(`the list "%s"`, m.n.prose(name))
		}
		columns := strings.Join(rc.table.Columns, "; ")
		delta := rc.table.Rows - rc.before
		if rc.isNew && effect {
			delta = m.grewBy(rc.table) // the first round made the list
		}
		if !effect || rc.isNew && delta == 0 {
			if rc.table.Rows > 0 && (!effect || rc.isNew && searches(m.st)) {
				m.add(called+" shows at least one row", workflow.Check{Kind: "row_count", Name: m.n.machine(name), Extra: map[string]string{"min": "1", "columns": columns}}, name)
			}
			continue
		}
		word := map[bool]string{true: "more", false: "fewer"}[delta > 0]
		count := delta
		if count < 0 {
			count = -count
		}
		if count > 1 && tableName(rc.table) == "" && columns == "" {
			continue // nothing says that it is the same list
		}
		if item := m.perItem(count); item != "" {
			m.add(fmt.Sprintf("%s has one row %s than before for each %s", called, word, m.n.prose(item)),
				workflow.Check{Kind: "row_count", Name: m.n.machine(name), Delta: delta / count, Extra: map[string]string{"columns": columns, "each": m.n.machine(item)}}, name, item)
			continue
		}
		m.add(fmt.Sprintf("%s has %s %s than before", called, rowsWord(count), word), workflow.Check{Kind: "row_count", Name: m.n.machine(name), Delta: delta, Extra: map[string]string{"columns": columns}}, name)
		m.itemGone(delta)
	}
}

// perItem is what was gathered one by one before this act, when as many rows changed as there were of it.
func (m *miner) perItem(count int) string {
	if m.st.loop >= 0 || count < 2 {
		return ""
	}
	for _, st := range slices.Backward(append(slices.Clone(m.earlier), m.seg.steps...)) {
		if st != m.st && effective(st) {
			return ""
		}
		if ids := refsOf(st.value); st.loop >= 0 && st.act.run != nil && len(st.act.run.rounds) == count && len(ids) == 1 && st.value == ref(ids[0]) {
			return st.value
		}
	}
	return ""
}

// rowsSince tells what became of a list that was seen before something was changed, and is shown again now: that is what the
// change has led to.
func (m *miner) rowsSince() {
	page := pathOf(m.st.act.url())
	changed := false
	for _, st := range slices.Backward(m.earlier) {
		if st.loop != m.st.loop && st.loop >= 0 {
			return // other rounds lie between
		}
		for _, s := range []*capture.State{st.act.after, st.act.before} {
			if s == nil || pathOf(s.URL) != page || !changed || len(s.Tables) == 0 {
				continue
			}
			for _, rc := range rowChanges(s, m.st.act.state()) {
				if name := m.g.text(tableName(rc.table)); !rc.isNew && name != "" {
					delta := rc.table.Rows - rc.before
					word := map[bool]string{true: "more", false: "fewer"}[delta > 0]
					m.add(fmt.Sprintf(`the list "%s" has %s %s than before`, m.n.prose(name), rowsWord(max(delta, -delta)), word),
						workflow.Check{Kind: "row_count", Name: m.n.machine(name), Delta: delta, Extra: map[string]string{"columns": strings.Join(rc.table.Columns, "; ")}}, name)
					m.proves = true
				}
			}
			return
		}
		changed = changed || st.Effect && st.Surface == workflow.OnBrowser
	}
}

// itemGone tells that the thing which was picked from a list is no longer in it, where one row went with it.
func (m *miner) itemGone(delta int) {
	if delta != -1 || m.st.Verb == capture.Drag {
		return
	}
	for _, st := range slices.Backward(append(slices.Clone(m.earlier), m.seg.steps...)) {
		ids := refsOf(st.value)
		l := (*capture.Landmark)(nil)
		if st.act.target != nil {
			l = st.act.target.Landmark
		}
		if !dataLike(st.act) || len(ids) != 1 || st.value != ref(ids[0]) || l == nil || l.Role != "row" && l.Role != "listitem" || pathOf(st.act.urlBefore()) != pathOf(m.st.act.url()) {
			continue
		}
		m.add(fmt.Sprintf("%s is no longer in it", m.n.prose(st.value)), workflow.Check{Kind: "element", Role: l.Role, Name: m.n.machine(st.value), Gone: true}, st.value)
		return
	}
}

// grewBy is by how many rows a list changed in every further round of a loop; 0 when they do not agree.
func (m *miner) grewBy(t capture.Table) int {
	by := 0
	for _, r := range m.s.roundN[m.st.col] {
		if r.act == nil {
			continue
		}
		for _, rc := range rowChanges(r.act.stateBefore(), r.act.state()) {
			d := rc.table.Rows - rc.before
			if !sameTable(rc.table, t) || rc.isNew {
				continue
			}
			if by != 0 && by != d {
				return 0
			}
			by = d
		}
	}
	return by
}

func rowsWord(n int) string {
	if n == 1 {
		return "one row"
	}
	return strconv.Itoa(n) + " rows"
}

func (m *miner) dialogGone() {
	a := m.st.act
	for _, d := range fresh(a.state().Dialogs, a.stateBefore().Dialogs) {
		t := m.g.text(d)
		m.add(fmt.Sprintf(`the dialog "%s" is closed`, m.n.prose(t)), workflow.Check{Kind: "dialog", Name: m.n.machine(t), Expect: m.n.machine(t), Gone: true})
		return
	}
}

// pageShown is the goal of a step that led somewhere.
func (m *miner) pageShown() string {
	a := m.st.act
	if ds := fresh(a.stateBefore().Dialogs, a.state().Dialogs); len(ds) > 0 {
		t := m.g.text(ds[0])
		m.add(fmt.Sprintf(`the dialog "%s" is open`, m.n.prose(t)), workflow.Check{Kind: "dialog", Name: m.n.machine(t), Expect: m.n.machine(t)}, t)
		return fmt.Sprintf(`The dialog "%s" is open`, m.n.prose(t))
	}
	if searches(m.st) && m.st.Verb == capture.Submit {
		m.rows(false)
		m.headingAndURL(false)
		if address := m.address(m.st.act.url()); len(m.n.inputsOf(address)) > 0 || len(m.checks) == 0 {
			m.add(reads("the address", "is", m.n.prose(address)), workflow.Check{Kind: "url", Expect: m.n.machine(address)}, address)
		}
		return "The results for " + andList(m.searched()) + " are shown"
	}
	goal := m.headingAndURL(true)
	m.rowsSince()
	if goal == "" {
		m.rows(false)
		if len(m.parts) > 0 {
			goal = plain.UpperFirst(m.parts[0])
		}
	}
	if goal == "" {
		for _, msg := range fresh(a.stateBefore().Alerts, a.state().Alerts) {
			t := m.message(msg)
			m.add(fmt.Sprintf(`the message "%s" is shown`, m.n.prose(t)), workflow.Check{Kind: "alert", Expect: m.n.machine(t)}, t)
			return plain.UpperFirst(m.parts[0])
		}
		if m.toldAnother(); len(m.parts) > 0 {
			return plain.UpperFirst(m.parts[0])
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
		m.add(reads("the heading", "reads", `"`+m.n.prose(heading)+`"`), workflow.Check{Kind: "heading", Expect: m.n.machine(heading)}, heading)
	}
	if searches(m.st) && m.st.Verb == capture.Submit {
		return goal // the caller tells the address
	}
	if address := m.address(after.URL); address != "" && (moved || always && a.moved) {
		m.add(reads("the address", "is", m.n.prose(address)), workflow.Check{Kind: "url", Expect: m.n.machine(address)}, address)
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
		if f := freshHeadings(b.Headings, after.Headings); len(f) > 0 {
			return plain.Squeeze(countForm.ReplaceAllString(f[0], ""))
		}
		if fallback && len(after.Headings) > 0 {
			return plain.Squeeze(countForm.ReplaceAllString(after.Headings[0], ""))
		}
		return ""
	}
	return m.inAll(first, idLike)
}

// reads says what a text is, or how it begins where only that is known.
func reads(what, verb, text string) string {
	begin, open := strings.CutSuffix(strings.TrimSuffix(text, `"`), "...")
	if !open || strings.Contains(begin, "...") || strings.Trim(begin, `" /`) == "" {
		return what + " " + verb + " " + text
	}
	if begin = strings.TrimSpace(begin); strings.HasPrefix(text, `"`) {
		begin += `"`
	}
	return what + " begins with " + begin
}

// message is a message's template; any number in it may be another one next time.
func (m *miner) message(msg string) string {
	like := func(a *act) string { // the message of another demonstration that is at the same place in its list
		at := slices.Index(fresh(m.st.act.stateBefore().Alerts, m.st.act.state().Alerts), msg)
		if all := fresh(a.stateBefore().Alerts, a.state().Alerts); a != m.st.act && at >= 0 && at < len(all) {
			return strings.TrimRight(plain.Squeeze(all[at]), ".")
		}
		if a == m.st.act {
			return strings.TrimRight(plain.Squeeze(msg), ".")
		}
		return ""
	}
	return m.inAll(like, func(w string) bool { return plain.Digits(w) > 0 })
}

// withNumbers puts masks' place-holders where a message repeats a number that was entered in this part of the work: "12 of it
// were booked in". A number is too short to be looked for everywhere, but here it was just given.
func (m *miner) withNumbers(a *act, msg string) string {
	t := slices.Index(m.st.col.acts, a)
	if t < 0 || msg == "" {
		return msg
	}
	ws := strings.Fields(msg)
	for i, w := range ws {
		for _, st := range m.seg.steps {
			p := m.n.params[st.ParamID]
			if p != nil && p.Role != workflow.RoleConstant && st.value == ref(p.ParamID) && t < len(p.texts) && p.texts[t] == w && plain.Digits(w) == len(w) {
				ws[i] = ref(p.ParamID)
			}
		}
	}
	return strings.Join(ws, " ")
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
		tmpl := loosen(m.withNumbers(a, m.s.gens[t].text(s)), varies)
		if out == "" {
			out = tmpl
		} else {
			out = common(out, tmpl)
		}
	}
	if plain.Letters(refForm.ReplaceAllString(out, "")) == 0 && len(refsOf(out)) == 0 {
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
			return fmt.Sprintf("The page of %s %s is open", plain.LowerFirst(noun), m.n.prose(ref(ids[0])))
		}
	}
	return fmt.Sprintf(`The page "%s" is open`, m.n.prose(heading))
}

// address is the template of a path, with those query values that inputs give.
func (m *miner) address(url string) string {
	if url == "" {
		return ""
	}
	path, asked, _ := strings.Cut(m.g.address(pathOf(url)+"?"+queryOf(url)), "?")
	parts := strings.Split(path, "/")
	for i, p := range parts {
		if !strings.ContainsRune(p, refOpen) && thingIn(parts, i) {
			parts[i] = anyRef
		}
	}
	out := strings.Join(parts, "/")
	var query []string
	for _, t := range strings.Split(asked, "&") {
		k, _, _ := strings.Cut(t, "=")
		if len(m.n.inputsOf(t)) > 0 && !strings.ContainsRune(k, refOpen) {
			query = append(query, t)
		}
	}
	if len(query) > 0 {
		out += "?" + strings.Join(query, "&")
	}
	return out
}
