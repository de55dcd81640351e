package report

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"showhow/internal/lazyre"
	"showhow/internal/plain"
)

// Names of the agents whose payloads are known.
const (
	ClaudeCode = "claude-code"
	Codex      = "codex"
	OpenClaw   = "openclaw"
	Generic    = "generic"
)

// Known are the agents that Parse knows by name; Generic stands for all others.
var Known = []string{ClaudeCode, Codex, OpenClaw, Generic}

var agentName = lazyre.New(`^[a-z0-9][a-z0-9._-]{0,59}$`)

// ValidAgent reports whether name can be an agent's.
func ValidAgent(name string) bool { return agentName.MatchString(name) && name != Generic }

// Parse converts the input of an agent's hook to receipts. format is one of Known, agent the name under which it
// reports. Of a truncated payload the complete part counts; an invalid one yields nothing.
func Parse(format, agent string, payload []byte) []Receipt {
	var out []Receipt
	for _, m := range objects(payload) {
		var r Receipt
		var ok bool
		switch format {
		case ClaudeCode:
			r, ok = fromClaude(m)
		case Codex:
			r, ok = fromCodex(m)
		case OpenClaw:
			r, ok = fromOpenClaw(m)
		case Generic:
			r, ok = fromGeneric(m)
		}
		if !ok {
			continue
		}
		if r.Agent == "" {
			r.Agent = agent
		}
		out = append(out, r.bounded())
	}
	return out
}

// members are an object's members, undecoded.
type members map[string]jsontext.Value

func decoder(b []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewReader(b), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// maxObjects bounds how many objects one payload may hold (the generic form allows several, one per line).
const maxObjects = 50

// objects are the JSON objects of a payload, the last one possibly truncated.
func objects(payload []byte) []members {
	var out []members
	for len(payload) > 0 && len(out) < maxObjects {
		m, rest, ok := object(payload)
		if !ok {
			break
		}
		out = append(out, m)
		payload = bytes.TrimSpace(rest)
	}
	return out
}

// object reads the first object of b. Of a truncated one it keeps the complete members, and the part of the last one
// if that is an object.
func object(b []byte) (m members, rest []byte, ok bool) {
	d := decoder(b)
	if t, err := d.ReadToken(); err != nil || t.Kind() != '{' {
		return nil, nil, false
	}
	m = members{}
	for {
		t, err := d.ReadToken()
		if err != nil {
			return m, nil, true
		}
		if t.Kind() == '}' {
			return m, b[d.InputOffset():], true
		}
		name, at := t.String(), d.InputOffset()
		v, err := d.ReadValue()
		if err != nil {
			if part := bytes.TrimLeft(b[at:], ": \t\r\n"); len(part) > 0 && part[0] == '{' {
				m[name] = bytes.Clone(part)
			}
			return m, nil, true
		}
		m[name] = v.Clone()
	}
}

// text is a string member, else "".
func (m members) text(name string) string {
	v := m[name]
	if v.Kind() != '"' {
		return ""
	}
	b, err := jsontext.AppendUnquote(nil, v)
	if err != nil && len(b) == 0 {
		return ""
	}
	return string(b)
}

// first is the first of the named members that holds text.
func (m members) first(names ...string) string {
	for _, n := range names {
		if s := m.text(n); s != "" {
			return s
		}
	}
	return ""
}

func (m members) object(name string) members {
	in, _, _ := object(m[name])
	return in
}

func (m members) truth(name string) bool { return m[name].Kind() == 't' }

// number is a numeric member.
func (m members) number(name string) (float64, bool) {
	if m[name].Kind() != '0' {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(bytes.TrimSpace(m[name])), 64)
	return f, err == nil
}

func (m members) whole(name string) *int {
	f, ok := m.number(name)
	if !ok || f != float64(int(f)) {
		return nil
	}
	return new(int(f))
}

// duration is a member in milliseconds, clamped to the bounds of a receipt.
func (m members) duration(names ...string) int64 {
	for _, n := range names {
		if f, ok := m.number(n); ok && f > 0 {
			return int64(min(f, 86_400_000))
		}
	}
	return 0
}

// flat lists the leaves of an object as arguments, sorted by name, nested ones by their path, except those to skip.
func (m members) flat(skip map[string]bool) []Arg {
	var out []Arg
	var walk func(prefix string, v jsontext.Value, depth int)
	walk = func(prefix string, v jsontext.Value, depth int) {
		if len(out) >= maxArgs || depth > 4 || skip[prefix] {
			return
		}
		switch v.Kind() {
		case '{':
			in, _, _ := object(v)
			for _, k := range slices.Sorted(maps.Keys(in)) {
				walk(join(prefix, k), in[k], depth+1)
			}
		case '[':
			var items []json.RawMessage
			if json.Unmarshal(v, &items) == nil {
				for i, item := range items {
					walk(join(prefix, strconv.Itoa(i)), jsontext.Value(item), depth+1)
				}
			}
		case '"':
			s, _ := jsontext.AppendUnquote(nil, v)
			if s := whole(string(s), maxArg); s != "" {
				out = append(out, Arg{Name: prefix, Value: s})
			}
		case '0', 't', 'f':
			out = append(out, Arg{Name: prefix, Value: string(bytes.TrimSpace(v))})
		}
	}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		walk(k, m[k], 0)
	}
	return out
}

func join(prefix, name string) string {
	if prefix == "" {
		return name
	}
	return prefix + "." + name
}

// bounded cuts what exceeds a receipt's bounds. A text is cut at white space, so that no secret is halved into
// something unrecognisable; one without white space is dropped.
func (r Receipt) bounded() Receipt {
	if r.Kind == "" {
		r.Kind = ToolCall
	}
	r.RunID, r.CallID, r.Tool = name(r.RunID), name(r.CallID), name(r.Tool)
	if len(r.Command) > maxCommand {
		r.Command = ""
	}
	r.Command = valid(r.Command)
	r.Cwd = valid(r.Cwd)
	if len(r.Cwd) > maxPath || !filepath.IsAbs(r.Cwd) {
		r.Cwd = ""
	}
	args := r.Args[:min(len(r.Args), maxArgs)]
	r.Args = nil
	for _, a := range args {
		r.Args = append(r.Args, Arg{Name: name(a.Name), Value: whole(valid(a.Value), maxArg)})
	}
	files := r.Files
	r.Files = nil
	for _, f := range files {
		if f.Path = valid(f.Path); f.Path != "" && len(f.Path) <= maxPath && len(r.Files) < maxFiles {
			r.Files = append(r.Files, f)
		}
	}
	if r.ExitCode != nil && (*r.ExitCode < -1 || int64(*r.ExitCode) > 1<<32-1) {
		r.ExitCode = nil
	}
	if !slices.Contains([]string{OK, Failed, Unknown}, r.Outcome) {
		r.Outcome = Unknown
	}
	if r.Event != EventRunEnd {
		r.Event = EventCall
	}
	r.DurationMS = max(0, min(r.DurationMS, 86_400_000))
	return r
}

func valid(s string) string { return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "") }

// name is a name as it is kept: valid text of at most maxName bytes.
func name(s string) string { return plain.CutBytes(valid(s), maxName) }

// whole is s if it has at most n bytes, else its beginning up to white space.
func whole(s string, n int) string {
	if len(s) <= n {
		return s
	}
	i := strings.LastIndexAny(s[:n], " \t\n")
	return s[:max(i, 0)]
}

// look fills in the size of a file that was just written; only names and sizes are ever read.
func look(cwd string, f File) File {
	p := f.Path
	if !filepath.IsAbs(p) {
		p = filepath.Join(cwd, p)
	}
	if fi, err := os.Stat(p); err == nil && fi.Mode().IsRegular() {
		f.Size = fi.Size()
	}
	return f
}

// Skill is the name of a skill in use according to the receipt: it was called by name, or its SKILL.md was read. ""
// for none.
func (r Receipt) Skill() string {
	if strings.EqualFold(r.Tool, "skill") {
		for _, a := range r.Args {
			if a.Name == "skill" || a.Name == "name" || a.Name == "command" {
				return a.Value
			}
		}
	}
	for _, a := range r.Args {
		if p := filepath.ToSlash(a.Value); strings.HasSuffix(p, "/SKILL.md") {
			return filepath.Base(filepath.Dir(p))
		}
	}
	return ""
}
