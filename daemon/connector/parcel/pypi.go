package parcel

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"showhow/daemon/sandbox"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/lazyre"
	"showhow/internal/mcpconfig"
)

// python is an interpreter with pip, and the index that the person's pip uses.
type python struct {
	program, home string // the interpreter, and the folder of its own library
	index         string
	hosts         []string // that it installs from
}

const (
	siteDir  = "site"   // the packages
	runner   = "run.py" // starts the program
	pypi     = "https://pypi.org/simple/"
	pypiHost = "files.pythonhosted.org" // has the files of pypi.org
)

// pythonOf finds a Python that has pip: the system's, else that on the path.
func pythonOf(ctx context.Context) (from python, err error) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	for _, name := range []string{"/usr/bin/python3", "python3"} {
		p, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		out, err := isolated(ctx, p, "-c", "import os, sys, pip; print(os.path.realpath(sys.executable)); print(sys.base_prefix)")
		program, home, ok := strings.Cut(strings.TrimSpace(string(out)), "\n")
		if err != nil || !ok || !filepath.IsAbs(program) || !filepath.IsAbs(home) || home == "/" {
			continue
		}
		from = python{program: program, home: home}
		from.index, from.hosts, err = indexOf(ctx, program)
		return from, err
	}
	return from, fault.New(fault.AdapterUnavailable, "packages of uvx are installed by pip, and no Python with pip is installed").
		WithHint("install it (Debian: apt install python3-pip)")
}

// isolated runs Python without anything of the person's own.
func isolated(ctx context.Context, program string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, program, append([]string{"-I"}, args...)...)
	cmd.Dir, _ = os.UserHomeDir() // no project's own setting counts
	return cmd.Output()
}

// indexOf is the index that the person's uv or pip uses, and the hosts that it installs from.
func indexOf(ctx context.Context, program string) (index string, hosts []string, err error) {
	raw := os.Getenv("UV_DEFAULT_INDEX")
	if raw == "" {
		out, err := isolated(ctx, program, "-m", "pip", "config", "list")
		if err != nil {
			return "", nil, fault.New(fault.AdapterUnavailable, "pip does not say which index it uses").
				WithHint("`python3 -m pip config list`")
		}
		said := map[string]string{}
		for line := range strings.Lines(string(out)) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
			said[key] = strings.Trim(value, "'\"")
		}
		for _, key := range []string{":env:.index-url", "install.index-url", "global.index-url"} {
			if raw = said[key]; raw != "" {
				break
			}
		}
	}
	if raw == "" {
		raw = pypi
	}
	u, err := url.Parse(raw)
	if err != nil || u.Hostname() == "" || u.Scheme != "https" && !(u.Scheme == "http" && net.ParseIP(u.Hostname()).IsLoopback()) {
		return "", nil, fault.New(fault.AdapterUnavailable, "pip names no index that is reached by https").
			WithHint("`python3 -m pip config list`")
	}
	u.User = nil
	index = strings.TrimSuffix(u.String(), "/") + "/"
	hosts = []string{u.Host}
	if index == pypi {
		hosts = append(hosts, pypiHost)
	}
	return index, hosts, nil
}

func (from python) address() string { return from.index }

func (from python) shows() []string { return []string{from.home} }

// fetch has pip install a package into a folder, in a sandbox that reaches only the index. Only wheels are installed:
// nothing of them runs.
func (from python) fetch(ctx context.Context, dir string, w mcpconfig.Package) error {
	read := []string{}
	if !strings.HasPrefix(from.home+"/", "/usr/") {
		read = append(read, from.home)
	}
	env := map[string]string{"PIP_CONFIG_FILE": "/dev/null"}
	for _, k := range []string{"PIP_CERT", "SSL_CERT_FILE"} {
		if ca := os.Getenv(k); ca != "" {
			read, env["PIP_CERT"] = append(read, ca), ca
			break
		}
	}
	if strings.HasPrefix(from.index, "http://") {
		env["PIP_TRUSTED_HOST"] = from.hosts[0]
	}
	box, err := sandbox.Open(ctx, sandbox.Spec{ReadOnly: read, Hosts: from.hosts, Timeout: installTime})
	if err != nil {
		return err
	}
	defer box.Close()
	res, err := box.Exec(ctx, sandbox.Command{Env: env, Args: []string{from.program, "-I", "-m", "pip", "install", "--no-input",
		"--no-cache-dir", "--disable-pip-version-check", "--no-warn-script-location", "--root-user-action=ignore", "--no-compile", "--quiet",
		"--only-binary=:all:", "--target=" + siteDir, "--report=report.json", "--index-url=" + from.index, w.Requirement()}})
	if err != nil {
		return err
	}
	if res.ExitCode != 0 || res.Killed != "" {
		return from.failed(w, res)
	}
	files, err := box.Files()
	if err != nil {
		return err
	}
	defer files.Close()
	return take(files, dir)
}

// failed explains why pip did not install a package; pip's text may hold what somebody else wrote.
func (from python) failed(w mcpconfig.Package, res sandbox.Result) error {
	why := fmt.Sprintf("pip ended with code %d", res.ExitCode)
	switch {
	case res.Killed != "":
		why = "pip was ended, " + res.Killed
	case strings.Contains(string(res.Stderr), "No matching distribution found"):
		why = "the index has no such package or version as a wheel for this Python"
	case strings.Contains(string(res.Stderr), "DO NOT MATCH THE HASHES"):
		why = "what the index sent is not what its checksum says"
	}
	return fault.New(fault.ConnectorUnreachable, w.String()+" could not be installed: "+why).
		WithHint("the index is " + from.hosts[0] + "; packages that must be built cannot be installed")
}

// pipReport is pip's record of what it installed.
type pipReport struct {
	Install []struct {
		Requested bool `json:"requested"`
		Metadata  struct {
			Name    string `json:"name"`
			Version string `json:"version"`
		} `json:"metadata"`
		Download struct {
			URL     string `json:"url"`
			Archive struct {
				Hash   string            `json:"hash"`
				Hashes map[string]string `json:"hashes"`
			} `json:"archive_info"`
		} `json:"download_info"`
	} `json:"install"`
}

var (
	pyVersion = lazyre.New(`^[A-Za-z0-9][A-Za-z0-9.+!_-]{0,79}$`)
	sha256Hex = lazyre.New(`^[0-9a-f]{64}$`)
	dotted    = lazyre.New(`^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$`)
)

// inspect checks pip's report, and writes the script that starts the program. Nothing is left of the report.
func (from python) inspect(dir string, w mcpconfig.Package) (p wire.MCPLocalPackage, run start, err error) {
	var r pipReport
	if err := readJSON(filepath.Join(dir, "report.json"), &r); err != nil {
		return p, run, fault.New(fault.AdapterUnavailable, "pip does not say what it installed").WithHint("pip 22.2 or newer is needed")
	}
	for _, x := range r.Install {
		sum := x.Download.Archive.Hashes["sha256"]
		if sum == "" {
			sum = strings.TrimPrefix(x.Download.Archive.Hash, "sha256=")
		}
		u, err := url.Parse(x.Download.URL)
		if err != nil || !slices.Contains(from.hosts, u.Host) || !sha256Hex.MatchString(sum) || !pyVersion.MatchString(x.Metadata.Version) {
			return p, run, fault.New(fault.InvalidRequest, "a part of the package does not come from the index, or has no checksum").
				WithDetail("parts", names(map[string]string{x.Metadata.Name: ""})).WithHint("install it yourself, then name its program")
		}
		if mcpconfig.PyName(x.Metadata.Name) == w.Name {
			p = wire.MCPLocalPackage{Name: w.Name, Version: x.Metadata.Version, Integrity: "sha256-" + sum}
		}
	}
	if p.Name == "" {
		return p, run, broken()
	}
	if err := os.Remove(filepath.Join(dir, "report.json")); err != nil {
		return p, run, fault.Wrap(err, fault.StoreFull, "the package cannot be kept")
	}
	name, module, attr, err := entryPoint(filepath.Join(dir, siteDir), w)
	if err != nil {
		return p, run, err
	}
	script := fmt.Sprintf(runText, siteDir, name, attr, module)
	if err := os.WriteFile(filepath.Join(dir, runner), []byte(script), 0o644); err != nil {
		return p, run, fault.Wrap(err, fault.StoreFull, "the package cannot be kept")
	}
	// Isolated, and without files that it would write beside its own.
	return p, start{command: []string{from.program, "-I", "-B"}, script: runner, needs: []string{from.home + "/"}}, nil
}

const runText = `import functools, importlib, os, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), %q))
sys.argv[0] = %q
sys.exit(functools.reduce(getattr, %q.split("."), importlib.import_module(%q))())
`

// entryPoint is the program that uvx would run: the named one, the one with the package's name, or the only one.
func entryPoint(site string, w mcpconfig.Package) (name, module, attr string, err error) {
	infos, err := filepath.Glob(filepath.Join(site, "*.dist-info"))
	if err != nil {
		return "", "", "", broken()
	}
	all := map[string]string{}
	for _, info := range infos {
		dist, _, _ := strings.Cut(filepath.Base(info), "-")
		if mcpconfig.PyName(dist) != w.Name {
			continue
		}
		b, err := readSmall(filepath.Join(info, "entry_points.txt"))
		if err != nil {
			break // it has none
		}
		in := false
		for line := range strings.Lines(string(b)) {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "[") {
				in = line == "[console_scripts]"
				continue
			}
			if k, v, ok := strings.Cut(line, "="); in && ok {
				all[strings.TrimSpace(k)] = strings.TrimSpace(v)
			}
		}
	}
	wanted := w.Bin
	if wanted == "" {
		for n := range all {
			if mcpconfig.PyName(n) == w.Name || len(all) == 1 {
				wanted = n
			}
		}
	}
	at, ok := all[wanted]
	if !ok {
		return "", "", "", fault.New(fault.InvalidRequest, "the package has no program of this name").WithDetail("programs", names(all)).
			WithHint("uvx --from PACKAGE PROGRAM")
	}
	at, _, _ = strings.Cut(at, "[") // extras
	module, attr, ok = strings.Cut(strings.TrimSpace(at), ":")
	module, attr = strings.TrimSpace(module), strings.TrimSpace(attr)
	if !ok || !plainName.MatchString(wanted) || !dotted.MatchString(module) || !dotted.MatchString(attr) {
		return "", "", "", broken()
	}
	return wanted, module, attr, nil
}
