package agentrun

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"showhow/internal/fault"
)

// profile is what a known agent needs besides the skill: its own service and the name of its key. It is shown before
// the start.
type profile struct {
	agent       string
	programs    []string
	hosts       []string
	credentials []string // environment variable names, which are the names in the keychain
	hook        bool     // package agenthook can have it report
}

var profiles = []profile{
	{"claude-code", []string{"claude"}, []string{"api.anthropic.com"}, []string{"ANTHROPIC_API_KEY"}, true},
	{"codex", []string{"codex"}, []string{"api.openai.com"}, []string{"OPENAI_API_KEY"}, true},
	{"openclaw", []string{"openclaw"}, nil, []string{"ANTHROPIC_API_KEY", "OPENAI_API_KEY"}, false},
	{"gemini", []string{"gemini"}, []string{"generativelanguage.googleapis.com"}, []string{"GEMINI_API_KEY"}, false},
	{"aider", []string{"aider"}, nil, []string{"ANTHROPIC_API_KEY", "OPENAI_API_KEY"}, false},
}

// profileOf finds an agent's profile by its name or its program's. An unknown agent is named after its program.
func profileOf(agent, program string) profile {
	base := strings.ToLower(filepath.Base(program))
	for _, p := range profiles {
		if agent == p.agent || agent == "" && slices.Contains(p.programs, base) {
			return p
		}
	}
	if agent == "" {
		agent = plainName(base)
	}
	return profile{agent: agent}
}

// plainName makes an agent's name from a program's.
func plainName(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '.', r == '_', r == '-':
			return r
		}
		return '-'
	}, s)
	s = strings.TrimLeft(s, ".-_")
	if s == "" {
		return "agent"
	}
	return s[:min(len(s), 60)]
}

// systemDirs are in every box.
var systemDirs = []string{"/usr/", "/bin/", "/sbin/", "/lib/", "/lib32/", "/lib64/"}

// programPaths lists what must be readable for a program outside the system folders to run: itself, the targets of its
// symlinks and, for one installed by a Node or Python package manager, its installation tree.
func programPaths(program string) ([]string, error) {
	if !strings.Contains(program, "/") {
		return nil, nil // a name: looked up in the box
	}
	if !filepath.IsAbs(program) {
		return nil, fault.New(fault.InvalidRequest, "the agent's program is neither a name nor an absolute path").WithHint(
			"`showhow run` completes a path that begins with ./")
	}
	var out []string
	for p, n := filepath.Clean(program), 0; n < 20; n++ {
		info, err := os.Lstat(p)
		if err != nil {
			return nil, fault.Wrap(err, fault.InvalidRequest, "the agent's program is not there").WithHint("check the path, or install the agent")
		}
		if !system(p) {
			out = append(out, p)
		}
		if info.Mode()&os.ModeSymlink == 0 {
			if !info.Mode().IsRegular() || info.Mode()&0o111 == 0 {
				return nil, fault.New(fault.InvalidRequest, "the agent's program cannot be run").WithHint("name an executable file after --")
			}
			return append(out, treeOf(p)...), nil
		}
		to, err := os.Readlink(p)
		if err != nil {
			return nil, fault.Wrap(err, fault.InvalidRequest, "the agent's program cannot be found")
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(p), to)
		}
		p = filepath.Clean(to)
	}
	return nil, fault.New(fault.InvalidRequest, "the agent's program is a link that leads in a circle")
}

func system(p string) bool {
	return slices.ContainsFunc(systemDirs, func(d string) bool { return strings.HasPrefix(p, d) })
}

// treeOf is the prefix of an installation by npm, pipx or uv: PREFIX/lib/node_modules/..., PREFIX/bin/X with PREFIX/pyvenv.cfg.
func treeOf(p string) []string {
	if system(p) {
		return nil
	}
	if before, _, ok := strings.Cut(p, "/lib/node_modules/"); ok {
		return []string{before + "/lib/node_modules", before + "/bin"}
	}
	prefix := filepath.Dir(filepath.Dir(p))
	if _, err := os.Stat(filepath.Join(prefix, "pyvenv.cfg")); err == nil {
		return []string{prefix}
	}
	return nil
}
