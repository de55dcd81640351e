package parcel

import (
	"context"
	"encoding/json"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"

	"showhow/daemon/sandbox"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/mcpconfig"
)

// npm is npm, node, and the registry that the person's npm uses for a package.
type npm struct{ npm, node, registry, host string }

func npmOf(ctx context.Context, w mcpconfig.Package) (from npm, err error) {
	if from.npm, from.node, err = tools(); err != nil {
		return from, err
	}
	from.registry, from.host, err = registryOf(ctx, from.npm, w)
	return from, err
}

func (from npm) address() string { return from.registry }

func (from npm) shows() []string { return []string{filepath.Dir(filepath.Dir(from.npm)), from.node} }

// fetch has npm install a package into a folder, in a sandbox that reaches only the registry. No script runs.
func (from npm) fetch(ctx context.Context, dir string, w mcpconfig.Package) error {
	wanted := w.Version
	if wanted == "" {
		wanted = "latest"
	}
	read := from.shows()
	env := map[string]string{}
	if ca := os.Getenv("NODE_EXTRA_CA_CERTS"); ca != "" {
		read, env["NODE_EXTRA_CA_CERTS"] = append(read, ca), ca
	}
	box, err := sandbox.Open(ctx, sandbox.Spec{ReadOnly: read, Hosts: []string{from.host}, Timeout: installTime})
	if err != nil {
		return err
	}
	defer box.Close()
	res, err := box.Exec(ctx, sandbox.Command{Env: env, Args: []string{from.node, from.npm, "install", "--ignore-scripts", "--omit=dev",
		"--no-audit", "--no-fund", "--no-update-notifier", "--no-progress", "--loglevel=error", "--registry", from.registry,
		"--cache", "/tmp/npm", w.Name + "@" + wanted}})
	if err != nil {
		return err
	}
	if res.ExitCode != 0 || res.Killed != "" {
		return failed(w, from.host, res)
	}
	files, err := box.Files()
	if err != nil {
		return err
	}
	defer files.Close()
	return take(files, dir)
}

// failed explains why npm did not install a package, by its code; npm's text may hold what somebody else wrote.
func failed(w mcpconfig.Package, host string, res sandbox.Result) error {
	said := string(res.Stderr) + string(res.Stdout)
	for _, c := range []struct{ code, text string }{
		{"E404", "the registry has no such package"}, {"ETARGET", "the package has no such version"},
		{"E401", "the registry wants a sign-in, which is not passed into the sandbox"},
		{"E403", "the registry refuses it"}, {"EINTEGRITY", "what the registry sent is not what its checksum says"},
		{"ENOTFOUND", "the registry cannot be reached"}, {"ECONNREFUSED", "the registry cannot be reached"},
		{"EAI_AGAIN", "the registry cannot be reached"},
		{"ENOSPC", "the disk is full"},
	} {
		if strings.Contains(said, c.code) {
			return fault.New(fault.ConnectorUnreachable, w.String()+" could not be installed: "+c.text).WithDetail("reason", c.code).
				WithHint("the registry is " + host)
		}
	}
	if res.Killed != "" {
		return fault.New(fault.ConnectorUnreachable, w.String()+" could not be installed: npm was ended, "+res.Killed)
	}
	return fault.Newf(fault.ConnectorUnreachable, "%s could not be installed: npm ended with code %d", w.String(), res.ExitCode).
		WithHint("`npm view " + w.Name + "` says more; packages that come from elsewhere than the registry cannot be installed")
}

// tools are the files of npm and node.
func tools() (npm, node string, err error) {
	for _, t := range []struct {
		name string
		to   *string
	}{{"npm", &npm}, {"node", &node}} {
		p, err := exec.LookPath(t.name)
		if err == nil {
			p, err = filepath.EvalSymlinks(p)
		}
		if err != nil {
			return "", "", fault.New(fault.AdapterUnavailable, "packages of npx are installed by npm, and "+t.name+" is not installed").
				WithHint("install Node.js with npm (Debian: apt install nodejs npm)")
		}
		*t.to = p
	}
	// The folder of npm is shown to the sandbox: a script of the person's that is called npm could lie beside everything.
	if !strings.HasSuffix(npm, filepath.FromSlash("/npm/bin/npm-cli.js")) {
		return "", "", fault.New(fault.AdapterUnavailable, "the npm on the path is not Node's own").
			WithHint("packages of npx are installed by the npm that comes with Node.js")
	}
	return npm, node, nil
}

// registryOf is the registry that the person's npm uses, and its host.
func registryOf(ctx context.Context, npm string, w mcpconfig.Package) (registry, host string, err error) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	keys := []string{"registry"}
	if scope, _, scoped := strings.Cut(w.Name, "/"); scoped {
		keys = []string{scope + ":registry", "registry"}
	}
	var u *url.URL
	for _, key := range keys {
		cmd := exec.CommandContext(ctx, npm, "config", "get", key)
		cmd.Dir, _ = os.UserHomeDir() // no project's own setting counts
		out, err := cmd.Output()
		if said := strings.TrimSpace(string(out)); err == nil && said != "undefined" {
			u, _ = url.Parse(said)
			break
		}
	}
	if u == nil || u.Hostname() == "" || u.Scheme != "https" && !(u.Scheme == "http" && net.ParseIP(u.Hostname()).IsLoopback()) {
		return "", "", fault.New(fault.AdapterUnavailable, "npm names no registry that is reached by https").
			WithHint("`npm config get registry`")
	}
	u.User = nil
	host = u.Hostname()
	if p := u.Port(); p != "" {
		host += ":" + p
	}
	return strings.TrimSuffix(u.String(), "/") + "/", host, nil
}

// lockFile is npm's record of what it installed.
type lockFile struct {
	Packages map[string]struct {
		Version   string `json:"version"`
		Resolved  string `json:"resolved"`
		Integrity string `json:"integrity"`
		Link      bool   `json:"link"`
		InBundle  bool   `json:"inBundle"` // comes within another's archive, whose checksum covers it
	} `json:"packages"`
}

// inspect checks the lock file.
func (from npm) inspect(dir string, w mcpconfig.Package) (p wire.MCPLocalPackage, run start, err error) {
	var lock lockFile
	if err := readJSON(filepath.Join(dir, "package-lock.json"), &lock); err != nil {
		return p, run, err
	}
	for place, part := range lock.Packages {
		if place != "" && (part.Link || !part.InBundle && (part.Integrity == "" || !strings.HasPrefix(part.Resolved, from.registry))) {
			return p, run, fault.New(fault.InvalidRequest, "a part of the package does not come from the registry, or has no checksum").
				WithDetail("parts", names(map[string]string{path.Base(place): ""})).
				WithHint("install it yourself, then name its program")
		}
	}
	root := "node_modules/" + w.Name
	main := lock.Packages[root]
	p = wire.MCPLocalPackage{Name: w.Name, Version: main.Version, Integrity: main.Integrity}
	var own struct {
		Name string          `json:"name"`
		Bin  json.RawMessage `json:"bin"`
	}
	if err := readJSON(filepath.Join(dir, filepath.FromSlash(root), "package.json"), &own); err != nil {
		return p, run, err
	}
	script, err := program(own.Bin, w)
	if err != nil {
		return p, run, err
	}
	script = path.Join(root, script)
	if !strings.HasPrefix(script, root+"/") || !exactVersion.MatchString(p.Version) {
		return p, run, broken()
	}
	if info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(script))); err != nil || !info.Mode().IsRegular() {
		return p, run, broken()
	}
	return p, start{command: []string{from.node}, script: filepath.FromSlash(script), needs: []string{from.node}}, nil
}

// program is the file of the program that npx would run (npm-exec(1)): the named one, the only one, or the one with
// the package's name.
func program(bin json.RawMessage, w mcpconfig.Package) (string, error) {
	short := path.Base(w.Name)
	all := map[string]string{}
	var one string
	switch {
	case json.Unmarshal(bin, &one) == nil && one != "":
		all[short] = one
	case len(bin) > 0:
		_ = json.Unmarshal(bin, &all)
	}
	if w.Bin != "" {
		if f := all[w.Bin]; f != "" {
			return f, nil
		}
		return "", fault.New(fault.InvalidRequest, "the package has no program of this name").WithDetail("programs", names(all))
	}
	if f := all[short]; f != "" {
		return f, nil
	}
	if len(all) == 1 {
		for _, f := range all {
			return f, nil
		}
	}
	return "", fault.New(fault.InvalidRequest, "the package does not say which of its programs is meant").
		WithDetail("programs", names(all)).WithHint("npx -p NAME PROGRAM")
}
