// Package mcpconfig reads which MCP servers an agent's own configuration names: Claude Code, Codex, OpenClaw and VS
// Code.
//
// Guarantees: nothing is written, run or contacted; a missing configuration names no servers, and one that cannot be read
// hides none of another; JSON may have comments
// and trailing commas. Environment variables and headers count as secrets until somebody says otherwise: they are in
// Server.Env and Server.Headers and in no error.
//
// Not guaranteed: that a server works, or that these are all servers of the agent (plugins add their own).
//
// The command line and the registry of connectors import it. To test against it: an Env with a home of your own.
package mcpconfig

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"showhow/internal/fault"
)

// Agents are the agents whose configurations are known.
var Agents = []string{"claude-code", "codex", "openclaw", "vscode"}

// Env locates the configurations.
type Env struct {
	Home    string
	Project string            // the folder whose own configuration counts too; "" for none
	Dirs    map[string]string // an agent's own folder when it is not the usual one
	Getenv  func(string) string
}

// Server is one server of a configuration.
type Server struct {
	Name    string
	Agent   string
	Path    string // the configuration
	Command []string
	Dir     string // where the command is run; "" for nowhere in particular
	URL     string
	Env     map[string]string // secrets
	Headers map[string]string // secrets
	Off     bool              // the agent does not use it
}

// Read returns every server in the configurations of these agents, by agent and name, and an error for each configuration that
// cannot be read; its details are the agent and the path.
func Read(e Env, agents ...string) ([]Server, []*fault.Error) {
	if e.Getenv == nil {
		e.Getenv = func(string) string { return "" }
	}
	var out []Server
	var unread []*fault.Error
	for _, agent := range agents {
		for _, f := range e.files(agent) {
			found, err := f.read(e, agent)
			if err != nil && !slices.ContainsFunc(unread, func(u *fault.Error) bool { return u.Details["path"] == f.path }) {
				unread = append(unread, unreadable(agent, f.path, err))
			}
			out = append(out, found...)
		}
	}
	return out, unread
}

// file is one configuration, and the place of the servers in it.
type file struct {
	path    string
	members []string // that lead to the servers
	project bool     // of Claude Code's own file: the servers of one project
}

func (e Env) files(agent string) []file {
	in := func(usual, name string) string {
		if d := e.Dirs[agent]; d != "" {
			return filepath.Join(d, name)
		}
		return filepath.Join(e.Home, usual, name)
	}
	var out []file
	own := func(name string, members ...string) {
		if e.Project != "" {
			out = append(out, file{path: filepath.Join(e.Project, name), members: members})
		}
	}
	switch agent {
	case "claude-code":
		out = append(out, file{path: in("", ".claude.json"), members: []string{"mcpServers"}})
		if e.Project != "" {
			out = append(out, file{path: in("", ".claude.json"), members: []string{"projects", e.Project, "mcpServers"}, project: true})
		}
		own(".mcp.json", "mcpServers")
	case "codex":
		out = append(out, file{path: in(".codex", "config.toml")})
	case "openclaw":
		out = append(out, file{path: in(".openclaw", "openclaw.json"), members: []string{"mcp", "servers"}})
	case "vscode":
		out = append(out, file{path: filepath.Join(e.codeDir(), "mcp.json"), members: []string{"servers"}})
		own(filepath.Join(".vscode", "mcp.json"), "servers")
	}
	return out
}

// codeDir is the folder of VS Code's settings.
func (e Env) codeDir() string {
	switch {
	case e.Dirs["vscode"] != "":
		return e.Dirs["vscode"]
	case runtime.GOOS == "darwin":
		return filepath.Join(e.Home, "Library", "Application Support", "Code", "User")
	case runtime.GOOS == "windows":
		return filepath.Join(e.Home, "AppData", "Roaming", "Code", "User")
	case e.Getenv("XDG_CONFIG_HOME") != "":
		return filepath.Join(e.Getenv("XDG_CONFIG_HOME"), "Code", "User")
	}
	return filepath.Join(e.Home, ".config", "Code", "User")
}

// maxFile is more than any configuration has; Claude Code keeps its history in the same file.
const maxFile = 64 << 20

func (f file) read(e Env, agent string) ([]Server, error) {
	info, err := os.Stat(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil, orBroken(err)
	}
	b, err := os.ReadFile(f.path)
	if err != nil {
		return nil, err
	}
	var named map[string]entry
	if f.members == nil {
		var all struct {
			Servers map[string]entry `toml:"mcp_servers"`
		}
		if err := toml.Unmarshal(b, &all); err != nil {
			return nil, errBroken // what it says of the place could hold a part of the file
		}
		named = all.Servers
	} else if named, err = below(plainJSON(b), f.members); err != nil {
		return nil, errBroken
	}
	out := []Server{}
	for _, name := range slices.Sorted(maps.Keys(named)) {
		s := named[name].server()
		s.Name, s.Agent, s.Path = name, agent, f.path
		if len(s.Command) == 0 && s.URL == "" {
			continue
		}
		s.settle(e, f)
		out = append(out, s)
	}
	return out, nil
}

var errBroken = errors.New("it is no configuration of this agent")

func orBroken(err error) error {
	if err == nil { // a folder, or a file of another kind or size
		return errBroken
	}
	return err
}

func unreadable(agent, path string, err error) *fault.Error {
	return fault.Wrap(err, fault.InvalidRequest, "the configuration of "+agent+" cannot be read").WithDetail("agent", agent).
		WithDetail("path", path).WithHint("mend it; the services of other agents can be taken over meanwhile")
}

// below is the object that members lead to; a missing one is not an error.
func below(b []byte, members []string) (map[string]entry, error) {
	for _, m := range members {
		var o map[string]json.RawMessage
		if err := json.Unmarshal(b, &o); err != nil {
			return nil, err
		}
		if b = o[m]; len(b) == 0 {
			return nil, nil
		}
	}
	var out map[string]entry
	return out, json.Unmarshal(b, &out)
}

// entry is a server in any of these formats.
type entry struct {
	Command  string         `json:"command" toml:"command"`
	Args     []string       `json:"args" toml:"args"`
	Cwd      string         `json:"cwd" toml:"cwd"`
	Env      map[string]any `json:"env" toml:"env"` // people write numbers, too
	URL      string         `json:"url" toml:"url"`
	Headers  map[string]any `json:"headers"`
	Disabled bool           `json:"disabled"`
	Enabled  *bool          `json:"enabled" toml:"enabled"`
	// Codex
	BearerVariable  string            `json:"-" toml:"bearer_token_env_var"`
	HTTPHeaders     map[string]string `json:"-" toml:"http_headers"`
	HeaderVariables map[string]string `json:"-" toml:"env_http_headers"`
	Variables       []string          `json:"-" toml:"env_vars"` // handed on from Codex's own environment
}

func (x entry) server() Server {
	s := Server{URL: x.URL, Dir: x.Cwd, Env: texts(x.Env), Headers: texts(x.Headers),
		Off: x.Disabled || x.Enabled != nil && !*x.Enabled}
	if x.Command != "" {
		s.Command = append([]string{x.Command}, x.Args...)
	}
	maps.Copy(s.Headers, x.HTTPHeaders)
	if x.BearerVariable != "" {
		s.Headers["Authorization"] = "Bearer ${" + x.BearerVariable + "}"
	}
	for h, v := range x.HeaderVariables {
		s.Headers[h] = "${" + v + "}"
	}
	for _, v := range x.Variables {
		if s.Env[v] == "" {
			s.Env[v] = "${" + v + "}"
		}
	}
	return s
}

// texts converts values to the form of an environment.
func texts(m map[string]any) map[string]string {
	out := map[string]string{}
	for k, v := range m {
		switch v := v.(type) {
		case string:
			out[k] = v
		case float64:
			out[k] = strconv.FormatFloat(v, 'f', -1, 64)
		case int64, bool:
			out[k] = fmt.Sprint(v)
		}
	}
	return out
}

// settle substitutes what the agent would: paths and environment variables. A remaining ${...} is unknown here.
func (s *Server) settle(e Env, f file) {
	project := e.Project
	if project == "" {
		project = filepath.Dir(f.path)
	}
	known := func(name string) (string, bool) {
		name, usual, _ := strings.Cut(name, ":-")
		switch name {
		case "workspaceFolder", "CLAUDE_PROJECT_DIR":
			return project, true
		case "userHome", "HOME":
			return e.Home, true
		}
		if v := e.Getenv(strings.TrimPrefix(name, "env:")); v != "" {
			return v, true
		}
		return usual, usual != ""
	}
	for i, w := range s.Command {
		s.Command[i] = fill(w, known)
		if rest, ok := strings.CutPrefix(s.Command[i], "~/"); ok {
			s.Command[i] = filepath.Join(e.Home, rest)
		}
	}
	s.URL, s.Dir = fill(s.URL, known), fill(s.Dir, known)
	for k, v := range s.Env {
		s.Env[k] = fill(v, known)
	}
	for k, v := range s.Headers {
		s.Headers[k] = fill(v, known)
	}
}

// fill replaces each known ${name}.
func fill(text string, known func(string) (string, bool)) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "${")
		name, after, closed := strings.Cut(rest, "}")
		if !ok || !closed {
			return b.String() + text
		}
		b.WriteString(before)
		if v, ok := known(name); ok {
			b.WriteString(v)
		} else {
			b.WriteString("${" + name + "}")
		}
		text = after
	}
}

// Open reports whether a person has to fill in something in a value.
func Open(value string) bool {
	_, rest, ok := strings.Cut(value, "${")
	return ok && strings.Contains(rest, "}")
}
