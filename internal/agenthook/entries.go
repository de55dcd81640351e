package agenthook

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"showhow/internal/fault"
)

// group is a matcher with its hooks, in the format of both Claude Code and Codex.
type group struct {
	Matcher string  `json:"matcher,omitzero"`
	Hooks   []entry `json:"hooks"`
}

type entry struct {
	Type    string `json:"type"`
	Command string `json:"command"`
	Timeout int    `json:"timeout"` // seconds; ours ends within 50 ms
}

func (p Plan) group(e event) group {
	g := group{Hooks: []entry{{Type: "command", Command: p.command(), Timeout: 5}}}
	if e.matcher != "-" {
		g.Matcher = e.matcher
	}
	return g
}

func (p Plan) snippet() string {
	if p.files != nil {
		return p.files["index.js"]
	}
	root := object{}
	p.add(&root)
	return string(root.text("  "))
}

// object is a JSON object whose members keep their order and their text.
type object []member

type member struct {
	name  string
	value jsontext.Value
}

func parse(b []byte) (object, error) {
	d := jsontext.NewDecoder(bytes.NewReader(b))
	t, err := d.ReadToken()
	if err != nil || t.Kind() != '{' {
		return nil, errors.New("no JSON object")
	}
	var o object
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		key := name.String()
		v, err := d.ReadValue()
		if err != nil {
			return nil, err
		}
		o = append(o, member{key, v.Clone()})
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(b[d.InputOffset():])) > 0 {
		return nil, errors.New("something follows the object")
	}
	return o, nil
}

func (o object) get(name string) jsontext.Value {
	for _, m := range o {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// set sets a member in its place, or at the end; a nil value removes it.
func (o *object) set(name string, v jsontext.Value) {
	for i, m := range *o {
		if m.name == name {
			if v == nil {
				*o = append((*o)[:i:i], (*o)[i+1:]...)
			} else {
				(*o)[i].value = v
			}
			return
		}
	}
	if v != nil {
		*o = append(*o, member{name, v})
	}
}

// text formats the object with an indent.
func (o object) text(indent string) jsontext.Value {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, _ := jsontext.AppendQuote(nil, m.name)
		b.Write(name)
		b.WriteByte(':')
		b.Write(m.value)
	}
	b.WriteByte('}')
	v := jsontext.Value(b.Bytes())
	if indent != "" {
		v.Indent(jsontext.WithIndent(indent))
	}
	return v
}

// items are the elements of an array, undecoded.
func items(v jsontext.Value) (out []jsontext.Value, err error) {
	if v == nil {
		return nil, nil
	}
	return out, json.Unmarshal(v, &out)
}

func array(items []jsontext.Value) jsontext.Value {
	v, _ := json.Marshal(items) // what was read can be written
	return v
}

// ours reports whether a command is our hook for this agent, from any version.
func (p Plan) ours(command string) bool {
	if command == p.command() {
		return true
	}
	program, ok := strings.CutSuffix(strings.TrimSpace(command), " "+p.Agent)
	if !ok {
		return false
	}
	program, whole := strings.CutSuffix(program, " hook")
	program = strings.Trim(program, `'"`)
	name := strings.TrimSuffix(path.Base(strings.ReplaceAll(program, `\`, "/")), ".exe")
	return whole && (name == "showhow" || name == "showhow-desktop") || !whole && name == hookProgram
}

// without removes our hooks from an event's groups and returns whether there were any, and whether they were as we
// write them.
func (p Plan) without(groups []jsontext.Value, e event) (left []jsontext.Value, found, asWritten bool) {
	want, _ := json.Marshal(p.group(e))
	for _, g := range groups {
		o, err := parse(g)
		hooks, err2 := items(o.get("hooks"))
		if err != nil || err2 != nil {
			left = append(left, g) // not for us to judge
			continue
		}
		var others []jsontext.Value
		for _, h := range hooks {
			var x entry
			if json.Unmarshal(h, &x) == nil && p.ours(x.Command) {
				found = true
			} else {
				others = append(others, h)
			}
		}
		switch {
		case len(others) == len(hooks):
			left = append(left, g)
		case len(others) > 0:
			o.set("hooks", array(others))
			left = append(left, o.text(""))
		default:
			asWritten = asWritten || equal(g, want)
		}
	}
	return left, found, asWritten
}

func equal(a, b jsontext.Value) bool {
	x, y := a.Clone(), b.Clone()
	return x.Canonicalize() == nil && y.Canonicalize() == nil && bytes.Equal(x, y)
}

// add adds our entries to the settings, once; those of another version are replaced.
func (p Plan) add(root *object) error {
	return p.eachEvent(root, func(groups []jsontext.Value, e event) []jsontext.Value {
		left, _, _ := p.without(groups, e)
		g, _ := json.Marshal(p.group(e))
		return append(left, g)
	})
}

func (p Plan) take(root *object) error {
	return p.eachEvent(root, func(groups []jsontext.Value, e event) []jsontext.Value {
		left, _, _ := p.without(groups, e)
		return left
	})
}

// eachEvent rewrites the groups of our events; an event or a hooks member that becomes empty is removed.
func (p Plan) eachEvent(root *object, f func([]jsontext.Value, event) []jsontext.Value) error {
	hooks := object{}
	if v := root.get("hooks"); v != nil {
		var err error
		if hooks, err = parse(v); err != nil {
			return err
		}
	}
	for _, e := range p.events {
		groups, err := items(hooks.get(e.name))
		if err != nil {
			return err
		}
		groups = f(groups, e)
		if len(groups) == 0 {
			hooks.set(e.name, nil)
		} else {
			hooks.set(e.name, array(groups))
		}
	}
	if len(hooks) == 0 {
		root.set("hooks", nil)
	} else {
		root.set("hooks", hooks.text(""))
	}
	return nil
}

func (p Plan) backup() string { return p.Path + ".before-showhow" }

func (p Plan) installEntries() (made []string, err error) {
	again := p.entriesState() != Gone
	existed, err := p.edit(p.add, func(before []byte) error {
		if again {
			return nil // what was there before ours is kept already, or there was nothing
		}
		f, err := os.OpenFile(p.backup(), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			return nil // of the first time
		}
		if err != nil {
			return err
		}
		_, err = f.Write(before)
		return errors.Join(err, f.Close())
	})
	if err != nil {
		return nil, err
	}
	switch {
	case again:
		return nil, nil
	case existed:
		return []string{p.backup()}, nil
	}
	return []string{p.Path}, nil
}

func (p Plan) removeEntries() error {
	if _, err := os.Stat(p.Path); errors.Is(err, fs.ErrNotExist) {
		return p.dropBackup()
	}
	if _, err := p.edit(p.take, nil); err != nil {
		return err
	}
	if _, err := os.Stat(p.backup()); errors.Is(err, fs.ErrNotExist) { // there was no file before ours
		if b, err := os.ReadFile(p.Path); err == nil && len(bytes.TrimSpace(bytes.Trim(bytes.TrimSpace(b), "{}"))) == 0 {
			return os.Remove(p.Path)
		}
	}
	return p.dropBackup()
}

func (p Plan) dropBackup() error {
	err := os.Remove(p.backup())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (p Plan) entriesState() string {
	b, err := os.ReadFile(p.Path)
	if err != nil {
		return Gone
	}
	root, err := parse(b)
	if err != nil {
		return Gone
	}
	hooks, err := parse(root.get("hooks"))
	if err != nil {
		return Gone
	}
	any, all := false, true
	for _, e := range p.events {
		groups, _ := items(hooks.get(e.name))
		_, found, asWritten := p.without(groups, e)
		any, all = any || found, all && asWritten
	}
	switch {
	case all:
		return Present
	case any:
		return Changed
	}
	return Gone
}

// edit changes the settings file: read, change, write a copy, rename. existed reports whether there was a file; first
// is called with its original content before anything is written.
func (p Plan) edit(change func(*object) error, first func(before []byte) error) (existed bool, err error) {
	for range 5 {
		done, was, err := p.editOnce(change, first)
		if done || err != nil {
			return was, err
		}
	}
	return false, fault.New(fault.Internal, "the agent's settings change all the time").WithHint("end the agent and try again")
}

func (p Plan) editOnce(change func(*object) error, first func([]byte) error) (done, existed bool, err error) {
	path := p.Path
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real // people keep their settings elsewhere and link to them
	}
	before, err := os.ReadFile(path)
	existed = err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, false, refused(err)
	}
	mode, root := fs.FileMode(0o600), object{}
	if existed {
		fi, err := os.Stat(path)
		if err != nil {
			return false, false, refused(err)
		}
		mode = fi.Mode().Perm()
		if len(bytes.TrimSpace(before)) > 0 {
			if root, err = parse(before); err != nil {
				return false, false, refused(err)
			}
		}
	}
	if err := change(&root); err != nil {
		return false, false, refused(err)
	}
	after := []byte(root.text(indentOf(before)))
	if len(before) == 0 || bytes.HasSuffix(before, []byte("\n")) {
		after = append(after, '\n')
	}
	if existed && first != nil {
		if err := first(before); err != nil {
			return false, false, refused(err)
		}
	}
	done, err = replace(path, before, existed, after, mode)
	if err != nil {
		return false, false, refused(err)
	}
	return done, existed, nil
}

// replace writes a file by renaming a copy over it. It does nothing and returns false if the file is no longer as it was.
func replace(path string, before []byte, existed bool, after []byte, mode fs.FileMode) (done bool, err error) {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".showhow-*")
	if err != nil {
		return false, err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(after)
	if err = errors.Join(err, tmp.Chmod(mode), tmp.Sync(), tmp.Close()); err != nil {
		return false, err
	}
	now, err := os.ReadFile(path)
	if (err == nil) != existed || !bytes.Equal(now, before) {
		return false, nil
	}
	return true, os.Rename(tmp.Name(), path)
}

func refused(err error) error {
	return fault.Wrap(err, fault.InvalidRequest, "the agent's settings could not be changed; they are as they were").
		WithHint("the file must be a JSON object that you may write; `showhow hook AGENT --print-config` shows what to add by hand")
}

// indentOf is a file's indentation; two blanks if it has none.
func indentOf(b []byte) string {
	for line := range bytes.Lines(b) {
		if rest := bytes.TrimLeft(line, " \t"); len(rest) < len(line) && len(bytes.TrimSpace(rest)) > 0 {
			return string(line[:len(line)-len(rest)])
		}
	}
	if line := bytes.TrimSpace(b); len(line) > 2 && !bytes.Contains(line, []byte("\n")) {
		return "" // all of it is in one line
	}
	return "  "
}
