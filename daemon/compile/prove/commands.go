package prove

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/intent"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/shell"
	"showhow/daemon/compile/trace"
	"showhow/daemon/compile/values"
	"showhow/daemon/workflow"
)

func (m *miner) download() string {
	f := m.st.Act.File
	name := m.n.Prose(m.st.FileTemplate)
	ext := page.ExtOf(f)
	kind := strings.ToUpper(strings.TrimPrefix(ext, "."))
	sentence := fmt.Sprintf("the file %s is in the download folder and is not empty", name)
	if kind != "" && !strings.HasSuffix(strings.ToLower(name), ext) {
		sentence = fmt.Sprintf("the %s file %s is in the download folder and is not empty", kind, name)
	}
	m.add(sentence, workflow.Check{Kind: "file", Expect: m.n.Machine(m.st.FileTemplate), MinBytes: 1,
		Extra: map[string]string{"where": "downloads", "ext": ext}}, m.st.FileTemplate)
	return fmt.Sprintf("The file %s is downloaded", name)
}

func (m *miner) commandRan() string {
	c := m.st.Act.Command
	l := shell.Read(c)
	prog, shown := m.st.Program, l.DisplayName(m.st.Program)
	if len(l.Programs) > 0 && shell.ControlWords[prog] {
		prog, shown = l.Programs[0], l.Programs[0] // a loop is not a program; what it runs is
	}
	if n := len(l.Programs); n == len(m.st.Runs) && n > 1 && n < 5 && !l.Opaque && strings.Contains(c.Line, "|") &&
		!strings.ContainsAny(c.Line, ";&") {
		prog, shown = l.Programs[n-1], strings.Join(l.Programs, " | ") // the exit code is that of the last program
	}
	into := l.EntersFolder()
	if into != "" {
		prog, shown = l.Programs[1], l.Programs[1]
		into = m.g.Word(into)
	}
	var files []string
	for _, made := range l.Makes() {
		files = append(files, madeFile(m, made))
		m.fileThere(files[len(files)-1], into)
	}
	said, any := len(files), l.HasGlob()
	for i, f := range trace.FilesOf(m.st.Act.Act) {
		if t := m.g.Text(f.Name); always(m, i, t) && !namedAfterListItem(m, f.Name) && !(any && !strings.Contains(c.Line, f.Name)) &&
			!slices.ContainsFunc(files, func(o string) bool { return o == t || path.Base(o) == t }) && len(files) < said+trace.MaxFilesTold {
			files = append(files, t)
			m.fileThere(t, m.otherFolder(f))
		}
	}
	if any && len(files) == 0 {
		anyOfType(m, c, l)
	}
	var gone []string
	if !any {
		gone = m.goneFiles()
	}
	if c.Running {
		m.add(fmt.Sprintf("the program `%s` is running", prog), workflow.Check{Kind: "process", Name: prog}, m.st.CommandTemplate)
		return fmt.Sprintf("`%s` is running", shown)
	}
	for _, r := range m.st.Act.Recs {
		if child := r.Action.Command; r.Event.AdapterKind == capture.ProcessLaunch && child != nil && child.Running &&
			!strings.ContainsRune(m.g.Word(shell.ProgramOf(child)), page.RefOpen) {
			m.add(fmt.Sprintf("the program `%s` is running", shell.ProgramOf(child)), workflow.Check{Kind: "process", Name: shell.ProgramOf(child)})
			break
		}
	}
	sentence := fmt.Sprintf("`%s` ended without an error (exit code %d)", shown, c.Exit)
	if c.Exit != 0 {
		sentence = fmt.Sprintf("`%s` ended with exit code %d", shown, c.Exit)
	}
	m.add(sentence, workflow.Check{Kind: "exit_code", Name: prog, Expect: strconv.Itoa(c.Exit)}, m.st.CommandTemplate)
	if len(files) > 0 {
		return fmt.Sprintf("The file %s is written", m.n.Prose(files[0]))
	}
	if len(gone) > 0 {
		return fmt.Sprintf("The file %s is no longer where it was", m.n.Prose(gone[0]))
	}
	return cmp.Or(shell.DoneByCommand[shown], fmt.Sprintf("`%s` has run without an error", shown))
}

// anyOfType adds a check for a line whose outputs depend on a glob pattern: there is a file of their type where they
// were written.
func anyOfType(m *miner, c *capture.Command, l shell.Line) {
	made := trace.FilesOf(m.st.Act.Act)
	if len(made) == 0 || slices.ContainsFunc(made, func(f capture.File) bool {
		return f.Dir || path.Ext(f.Name) != path.Ext(made[0].Name) || path.Dir(f.Path) != path.Dir(made[0].Path)
	}) {
		return
	}
	ext := path.Ext(made[0].Name)
	check := workflow.Check{Kind: "file", Expect: "{*}" + ext, MinBytes: 1, Extra: map[string]string{"where": "cwd", "ext": ext}}
	in := ""
	if folder := m.otherFolder(made[0]); folder != "" {
		check.Extra["where"], check.Extra["folder"] = "folder", m.n.Machine(folder)
		in = " in the folder " + m.n.Prose(folder)
	}
	if in == "" && slices.ContainsFunc(l.Words, func(w shell.Word) bool { return strings.HasSuffix(w.Text, ext) }) {
		return // such files existed before
	}
	m.add(fmt.Sprintf("there is a %s file%s that is not empty", strings.TrimPrefix(ext, "."), in), check)
}

// namedAfterListItem reports whether a file is named after one of several given files: other runs have other files.
func namedAfterListItem(m *miner, name string) bool {
	stem := strings.TrimSuffix(name, path.Ext(name))
	return slices.ContainsFunc(m.s.Params, func(p *values.Param) bool {
		return p.List && slices.ContainsFunc(strings.Split(strings.Join(p.Texts, "\n"), "\n"), func(one string) bool {
			return one != "" && (stem == path.Base(one) || stem == strings.TrimSuffix(path.Base(one), path.Ext(one)))
		})
	})
}

// fileThere adds a check for a file that an act made, in folder or, if that is empty, where the command ran.
func (m *miner) fileThere(file, folder string) {
	base := file
	if !strings.ContainsRune(path.Ext(file), page.RefOpen) {
		base = path.Base(file)
	}
	check := workflow.Check{Kind: "file", Expect: m.n.Machine(file), MinBytes: 1, Extra: map[string]string{"where": "cwd",
		"ext": path.Ext(m.n.Machine(base))}}
	in := ""
	if folder != "" {
		check.Extra["where"], check.Extra["folder"] = "folder", m.n.Machine(folder)
		in = " in the folder " + m.n.Prose(folder)
	}
	m.add(fmt.Sprintf("the file %s exists%s and is not empty", m.n.Prose(base), in), check, file, folder)
}

// always reports whether every demonstration made the i-th file under the same name, except for inputs.
func always(m *miner, i int, tmpl string) bool {
	for t, a := range m.st.Col.Acts {
		if a == nil {
			continue
		}
		if files := trace.FilesOf(a.Act); i >= len(files) || m.s.Gens[t].Text(files[i].Name) != tmpl {
			return false
		}
	}
	return true
}

// otherFolder returns the template of the folder that a file is in, relative to the folder that the person named, if that
// is not where the command ran; else "". A path of this machine would not exist on another (CKP-007).
func (m *miner) otherFolder(f capture.File) string {
	c := m.st.Act.Command
	if dir := path.Dir(f.Path); f.Folder != "" && dir != "." && (c == nil || f.Folder != c.CwdFrom &&
		(f.Folder != c.CwdTo || shell.Read(c).EntersFolder() != "")) {
		return m.g.Text(dir)
	}
	return ""
}

// goneFiles returns sentences about the files that a command moved or deleted, and adds their checks.
func (m *miner) goneFiles() []string {
	var out []string
	a := m.st.Act
	for _, f := range a.StateBefore().Files {
		if slices.ContainsFunc(a.State().Files, func(o capture.File) bool { return o.Name == f.Name }) || strings.HasPrefix(f.Name, ".") ||
			f.Name == "" || len(out) == 3 {
			continue
		}
		t, what, in := m.g.Text(f.Name), "file", "the folder"
		if f.Dir {
			what = "folder"
		}
		extra := map[string]string{"where": "cwd"}
		if folder := m.otherFolder(f); folder != "" && f.Change != "moved" { // of a move, the folder is the destination
			extra, in = map[string]string{"where": "folder", "folder": m.n.Machine(folder)}, "the folder "+m.n.Prose(folder)
		}
		m.add(fmt.Sprintf("the %s %s is no longer in %s", what, m.n.Prose(t), in), workflow.Check{Kind: "file", Expect: m.n.Machine(t),
			Gone: true, Extra: extra}, t)
		out = append(out, t)
	}
	return out
}

// madeFile returns the template of a file that a redirection wrote; word contains references to links.
func madeFile(m *miner, word string) string {
	return m.g.Word(word)
}

func (m *miner) newFileNote() {
	for i, f := range trace.FilesOf(m.st.Act.Act) {
		t := m.g.Text(f.Name)
		if folder := m.otherFolder(f); folder != "" && i < trace.MaxFilesTold {
			m.fileThere(t, folder)
		} else if folder == "" {
			m.add(fmt.Sprintf("the file %s exists", m.n.Prose(t)), workflow.Check{Kind: "file", Expect: m.n.Machine(t), MinBytes: 1}, t)
		}
	}
}

// called returns the goal after a tool call.
func (m *miner) called() string {
	a := m.st.Act
	if a.File != nil {
		name := m.st.FileTemplate
		m.add(fmt.Sprintf("the file %s exists and is not empty", m.n.Prose(name)), workflow.Check{Kind: "file", Expect: m.n.Machine(name),
			MinBytes: 1,
			Extra:    map[string]string{"where": "cwd", "ext": path.Ext(m.n.Machine(name))}}, name)
		return fmt.Sprintf("The file %s is written", m.n.Prose(name))
	}
	tool := trace.OwnName(a.Call)
	m.add(fmt.Sprintf("the tool `%s` answered without an error", tool), workflow.Check{Kind: "output", Name: tool, Expect: "no error"},
		m.st.ValueTemplate)
	ws := append(trace.ToolWords(tool), "")
	if d := intent.OutcomeOf.Get(ws[0]); d != "" {
		return strings.ReplaceAll(d, "%s", cmp.Or(strings.TrimSpace(strings.Join(ws[1:], " ")), "entry"))
	}
	return fmt.Sprintf("The tool `%s` has done its work", tool)
}

// played returns the goal of playing. No program can observe its effect, so a person confirms it.
func (m *miner) played() string {
	m.add("the user confirms that the sound or the controlled program does what the playing was for",
		workflow.Check{Kind: "manual", Expect: "what was played has had its effect"})
	return "What was played has had its effect"
}
