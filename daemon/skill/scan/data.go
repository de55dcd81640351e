package scan

import (
	"encoding/json"
	"path"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"showhow/daemon/skill/scan/flow"
	"showhow/daemon/skill/scan/prose"
	"showhow/daemon/skill/scan/report"
	"showhow/daemon/skill/scan/source"
	"showhow/internal/lazyre"
)

// settingsData reads JSON, YAML and the like: strings are prose, some keys are commands, some are permissions.
func (f *file) settingsData(text string, line int, p source.Place) {
	root, err := decodeData(text)
	if err != nil || strings.HasSuffix(f.Path, ".lock") {
		if err != nil && !strings.HasSuffix(f.Path, ".lock") { // which is no text: one value a line
			prose.Of(f.File).Tell(text, line, p)
		}
		for i, l := range strings.Split(text, "\n") {
			if len(l) > 30 && i < 5000 && strings.Contains(l, " ") {
				prose.Of(f.File).Tell(l, line+i, source.Place{Literal: true})
			}
		}
		f.settings(text, line, p)
		return
	}
	d := &dataWalk{f: f, line: line, place: p}
	d.walk(root, nil, 0)
	f.settings(text, line, p)
	// comments of YAML are read by agents, too
	if !strings.HasPrefix(strings.TrimSpace(text), "{") {
		f.comments(text, line, p)
	}
}

// decodeData reads JSON, which is most of it, by its own, quicker rules, and anything else as YAML.
func decodeData(text string) (*yaml.Node, error) {
	if root, ok := decodeJSON(text); ok {
		return root, nil
	}
	var root yaml.Node
	err := decodeYAML(text, &root)
	return &root, err
}

// decodeJSON reads one JSON value as the nodes that YAML would make of it.
func decodeJSON(text string) (*yaml.Node, bool) {
	start := strings.TrimLeft(text, " \t\r\n")
	if len(text) > maxData || start == "" || start[0] != '{' && start[0] != '[' || strings.Contains(text, `\ud`) ||
		strings.Contains(text, `\uD`) {
		return nil, false // halves of signs are no YAML
	}
	if !json.Valid([]byte(text)) {
		return nil, false
	}
	r := &jsonReader{text: text, line: 1}
	n, ok := r.node(0)
	return &yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{n}, Line: n.Line}, ok
}

// jsonReader walks through valid JSON.
type jsonReader struct {
	text string
	at   int
	line int
}

// next passes over what stands between values, and names the sign that begins the next one.
func (r *jsonReader) next() byte {
	for ; r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; c {
		case '\n':
			r.line++
		case ' ', '\t', '\r', ',', ':':
		default:
			return c
		}
	}
	return 0
}

func (r *jsonReader) node(depth int) (*yaml.Node, bool) {
	c := r.next()
	n := &yaml.Node{Kind: yaml.ScalarNode, Line: r.line}
	if depth > 200 {
		return n, false
	}
	switch c {
	case '{', '[':
		n.Kind = yaml.MappingNode
		if c == '[' {
			n.Kind = yaml.SequenceNode
		}
		for r.at++; ; {
			if end := r.next(); end == '}' || end == ']' || end == 0 {
				r.at++
				return n, end != 0
			}
			v, ok := r.node(depth + 1)
			if !ok {
				return n, false
			}
			n.Content = append(n.Content, v)
		}
	case '"':
		start := r.at
		for r.at++; r.text[r.at] != '"'; r.at++ {
			if r.text[r.at] == '\\' {
				r.at++
			}
		}
		r.at++
		if n.Value = r.text[start+1 : r.at-1]; strings.Contains(n.Value, `\`) || !utf8.ValidString(n.Value) {
			return n, json.Unmarshal([]byte(r.text[start:r.at]), &n.Value) == nil
		}
	default:
		start := r.at
		for r.at < len(r.text) && strings.IndexByte(",]} \t\r\n", r.text[r.at]) < 0 {
			r.at++
		}
		n.Value = r.text[start:r.at]
	}
	return n, true
}

// maxData is more than any file of a bundle has.
const maxData = 4 << 20

// decodeYAML reads one document. Aliases are not followed, so a small file cannot become a large tree.
func decodeYAML(text string, root *yaml.Node) (err error) {
	defer func() {
		if recover() != nil {
			err = errBadYAML
		}
	}()
	if len(text) > maxData {
		return errBadYAML
	}
	if err := yaml.Unmarshal([]byte(text), root); err != nil {
		return errBadYAML
	}
	return nil
}

type plainError string

func (e plainError) Error() string { return string(e) }

const errBadYAML = plainError("no YAML")

type dataWalk struct {
	f     *file
	line  int
	place source.Place
	n     int
	env   string // assignments that a pipeline makes before a step's commands
}

// allSecrets is every secret of a repository at once, in a pipeline's own language.
var allSecrets = lazyre.New(`(?i)'?\$\{\{\s*toJSON\(\s*secrets\s*\)\s*\}\}'?`)

// environment are the assignments by which a step's commands get all secrets.
func environment(n *yaml.Node) string {
	var b strings.Builder
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value != "env" || n.Content[i+1].Kind != yaml.MappingNode {
			continue
		}
		vars := n.Content[i+1].Content
		for j := 0; j+1 < len(vars); j += 2 {
			if allSecrets.MatchString(vars[j+1].Value) && variableName.MatchString(vars[j].Value) {
				b.WriteString(vars[j].Value + "=$(env); ")
			}
		}
	}
	return b.String()
}

var variableName = lazyre.New(`^[A-Za-z_]\w*$`)

func (d *dataWalk) walk(n *yaml.Node, keys []string, depth int) {
	if d.n++; d.n > 200000 || depth > 60 {
		return
	}
	switch n.Kind {
	case yaml.DocumentNode, yaml.SequenceNode:
		for _, c := range n.Content {
			d.walk(c, keys, depth+1)
		}
	case yaml.MappingNode:
		outer := d.env
		d.env += environment(n)
		for i := 0; i+1 < len(n.Content); i += 2 {
			d.walk(n.Content[i+1], append(keys[:len(keys):len(keys)], n.Content[i].Value), depth+1)
		}
		d.env = outer
		d.command(n, keys)
	case yaml.ScalarNode:
		d.scalar(n, keys)
	}
}

// command: {"command": "bash", "args": ["-c", "..."]} is one command.
func (d *dataWalk) command(n *yaml.Node, keys []string) {
	cmd := ""
	for i := 0; i+1 < len(n.Content); i += 2 {
		v := n.Content[i+1]
		switch {
		case n.Content[i].Value == "command" && v.Kind == yaml.ScalarNode:
			cmd = v.Value + cmd
		case n.Content[i].Value == "args" && v.Kind == yaml.SequenceNode && len(v.Content) < 60:
			for _, a := range v.Content {
				cmd += " '" + strings.ReplaceAll(a.Value, "'", `'\''`) + "'"
			}
		}
	}
	if cmd != "" {
		d.f.piece(source.Shell, cmd, d.line+n.Line-1, d.place)
	}
}

var hookKeys = source.Words("preinstall install postinstall prepare prepublish prepack preuninstall postuninstall PreToolUse " +
	"PostToolUse " +
	"SessionStart UserPromptSubmit Stop SubagentStop PreCompact Notification SessionEnd onStartupFinished postCreateCommand " +
	"postStartCommand initializeCommand onCreateCommand runOn PermissionRequest")

func (d *dataWalk) scalar(n *yaml.Node, keys []string) {
	key := ""
	if len(keys) > 0 {
		key = keys[len(keys)-1]
	}
	line := d.line + n.Line - 1
	base := path.Base(d.f.Path)
	hook := false
	for _, k := range keys {
		hook = hook || hookKeys[k] && (k != "install" && k != "Stop" && k != "Notification" || flow.Contains(keys, "scripts") ||
			flow.Contains(keys, "hooks"))
	}
	if hook && (base == "package.json" || flow.Contains(keys, "hooks") || flow.Contains(keys, "scripts") ||
		strings.Contains(key, "Command")) &&
		len(n.Value) > 1 && key != "type" && key != "matcher" && key != "timeout" {
		d.f.Add("install-hook", line, n.Value, report.With{})
		d.f.piece(source.Shell, n.Value, line, d.place)
	} else if key == "command" || key == "cmd" || key == "run" || key == "script" || key == "exec" || key == "shell" ||
		key == "entrypoint" ||
		flow.Contains(keys, "scripts") && base == "package.json" {
		if strings.Contains(n.Value, " ") {
			d.f.piece(source.Shell, d.env+allSecrets.ReplaceAllString(n.Value, `"$$(env)"`), line, d.place)
		}
	}
	switch {
	case base == "package.json" && (flow.Contains(keys, "dependencies") || flow.Contains(keys, "devDependencies") ||
		flow.Contains(keys, "optionalDependencies") || flow.Contains(keys, "peerDependencies")):
		flow.PackageNamed(d.f.File, key, line, true)
		if strings.Contains(n.Value, "://") {
			w := &flow.Pass{World: flow.NewWorld(nil), U: &flow.Unit{F: d.f.File, Line: line}}
			w.PackageFrom(n.Value, 1)
		}
	case flow.Contains(keys, "requires") || flow.Contains(keys, "dependencies"):
		if !strings.ContainsAny(n.Value, " /") {
			flow.PackageNamed(d.f.File, n.Value, line, true)
		}
	}
	if flow.Contains(keys, "allow") && flow.Contains(keys, "permissions") && wideTool(n.Value) || key == "defaultMode" &&
		n.Value == "bypassPermissions" || key == "enableAllProjectMcpServers" && n.Value == "true" || key == "dangerouslySkipPermissions" &&
		n.Value == "true" {
		d.f.Add("agent-permissions", line, n.Value, report.With{})
	}
	if k := codeIn(n.Value); k != "" {
		d.f.piece(k, n.Value, line, d.place)
		sev := report.Low
		if startsCode.MatchString(n.Value) {
			sev = report.Medium
		}
		d.f.Add("dynamic-code", line, n.Value, report.With{Meaning: "A setting holds program text that starts commands or evaluates code.",
			Severity: sev})
	}
	if low := strings.ToLower(key); strings.Contains(low, "redirect") || strings.Contains(low, "callback") {
		if what := source.Catcher(source.HostOf(n.Value)); what != "" && strings.Contains(n.Value, "://") {
			d.f.Add("catcher-host", line, n.Value, report.With{Meaning: "What a sign-in answers goes through a " + what + ", whose owner " +
				"can read it.",
				Severity: report.High})
		}
	}
	if key != "" && strings.Contains(strings.ToUpper(key), "BASE_URL") {
		w := &flow.Pass{World: flow.NewWorld(nil), U: &flow.Unit{F: d.f.File, Line: line}}
		w.Redirected(key+"="+n.Value, 1)
	}
	if (key == "url" || key == "download" || key == "source") && flow.Contains(keys, "install") {
		prose.Of(d.f.File).Prerequisite(prose.Sentence{Text: "install requires download " + strings.ToLower(n.Value), Line: line}, "", d.place)
	}
	if len(n.Value) > 20 && strings.Contains(n.Value, " ") || !source.Ascii(n.Value) {
		prose.Of(d.f.File).Tell(d.withoutCode(n.Value, line), line,
			source.Place{Literal: true, Quoted: d.place.Quoted && d.place.Cue(), Before: d.place.Before})
	}
}

// withoutCode is a text of Markdown without its blocks of code, which are read as what they are.
func (d *dataWalk) withoutCode(s string, line int) string {
	parts := strings.Split(s, "```")
	if len(parts) < 3 {
		return s
	}
	for i := 1; i < len(parts)-1; i += 2 {
		lang, code, ok := strings.Cut(parts[i], "\n")
		if ok && !strings.ContainsAny(lang, " `") && isCode(lang, code) {
			d.f.piece(kindOf(lang, code), code, line, source.Place{Quoted: true, Before: parts[i-1]})
			parts[i] = "\n"
		}
	}
	return strings.Join(parts, "")
}

var (
	scriptText = lazyre.New(`\bprocess\.(?:binding|mainModule)\b|\bnew Function\(|\bimport\(\s*['"](?:node:)?child_process|` +
		`\brequire\(\s*['"](?:node:)?(?:child_process|fs|https?|net|vm)|\bchild_process\b[^"]{0,40}\(|\bexecSync` +
		`\(|\beval\(|=>\s*\{`)
	pythonText = lazyre.New(`\bos\.(?:system|popen)\(|\bsubprocess\.\w+\(|\b__import__\(|^\s*import \w+[;\n]|\bexec\(`)
)

// startsCode: the program text starts a command, or evaluates one or more texts.
var startsCode = lazyre.New(`\bprocess\.(?:binding|mainModule)\b|\bnew Function\(|\bchild_process\b|\b(?:exec|spawn)\w*\(|\beval\(|` +
	`\bos\.(?:system|popen)\(|\bsubprocess\b|\b__import__\(|\bcompile\(`)

// codeIn is the language of a value that is a program, "" for any other.
func codeIn(s string) source.Kind {
	switch {
	case len(s) < 8 || !strings.ContainsAny(s, "(;"):
		return ""
	case pythonText.MatchString(s):
		return source.Python
	case scriptText.MatchString(s):
		return source.Script
	}
	return ""
}

// wideTool: every command, or everything.
func wideTool(t string) bool {
	t = strings.ReplaceAll(t, " ", "")
	return t == "*" || t == "Bash" || t == "Bash(*)" || t == "Bash(*:*)" || t == "Bash(:*)" || t == "all"
}

// signsIn reads where a sign-in sends what it answers.
func (f *file) signsIn(text string, line int) {
	for _, m := range signIn.FindAllStringSubmatchIndex(text, 20) {
		if what := source.Catcher(source.HostOf(text[m[2]:m[3]])); what != "" && what != "bare number" {
			f.Add("catcher-host", line+strings.Count(text[:m[0]], "\n"), text[m[0]:m[1]], report.With{Severity: report.High,
				Meaning: "What a sign-in answers goes through a " + what + ", whose owner can read it."})
		}
	}
}

// signIn is where a service sends what opens an account, in settings of any form.
var signIn = lazyre.New(`(?i)(?:redirect|callback|return_?(?:to|url|uri))[\w.-]*["']?\s*[:=]\s*\[?\s*["']?(https?://[^\s"',\]]+)`)

// settings are files that an agent obeys when they lie in a project.
func (f *file) settings(text string, line int, p source.Place) {
	if strings.Contains(text, "://") {
		f.signsIn(text, line)
	}
	if p.Quoted {
		return
	}
	for i := range flow.Lasting {
		if flow.Lasting[i].Rule == "agent-memory" && flow.Lasting[i].RE.MatchString("~/"+f.Path) && strings.Contains(f.Path, ".claude/") {
			f.Add("agent-memory", 0, "", report.With{Severity: report.Medium, Meaning: "The bundle brings settings that an agent obeys."})
			return
		}
	}
}
