package agentrun

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"showhow/daemon/sandbox"
	"showhow/internal/fault"
	"showhow/internal/lazyre"
	"showhow/internal/regular"
)

// requirements.txt pins what it names, but not the dependencies of that. So pip first reports what it would install,
// every version with its file's hash; that list is the lock. What goes beyond the skill's own pins was approved by
// nobody: a person sees it and names the lock. Then exactly the lock is installed, by hash, without resolving again.

// pipReport is pip's report of what it would install.
type pipReport struct {
	Install []struct {
		Metadata struct {
			Name    string `json:"name"`
			Version string `json:"version"`
		} `json:"metadata"`
		Download struct {
			Archive struct {
				Hash   string            `json:"hash"`
				Hashes map[string]string `json:"hashes"`
			} `json:"archive_info"`
		} `json:"download_info"`
	} `json:"install"`
}

var (
	pipName    = lazyre.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,118}$`)
	pipVersion = lazyre.New(`^[A-Za-z0-9][A-Za-z0-9.+!_-]{0,118}$`)
	pipHash    = lazyre.New(`^[0-9a-f]{64}$`)
	runsOfDash = lazyre.New(`[-_.]+`)
)

// registryName is a package's name in the registries' normal form.
func registryName(s string) string { return runsOfDash.ReplaceAllString(strings.ToLower(s), "-") }

// packagesOf reads pip's report. Each package must have a version and the hash of its file.
func packagesOf(report []byte, requirements string) ([]Package, error) {
	var r pipReport
	if err := json.Unmarshal(report, &r); err != nil {
		return nil, fault.Wrap(err, fault.DependenciesMissing, "pip does not say what it would install").WithHint("pip 22.2 or newer is needed")
	}
	own := map[string]bool{}
	for line := range strings.SplitSeq(requirements, "\n") {
		own[registryName(strings.TrimSpace(regexp.MustCompile(`[\[=;#\s].*`).ReplaceAllString(strings.TrimSpace(line), "")))] = true
	}
	out := []Package{}
	for _, i := range r.Install {
		p := Package{Name: i.Metadata.Name, Version: i.Metadata.Version, SHA256: i.Download.Archive.Hashes["sha256"]}
		if p.SHA256 == "" {
			p.SHA256 = strings.TrimPrefix(i.Download.Archive.Hash, "sha256=")
		}
		if !pipName.MatchString(p.Name) || !pipVersion.MatchString(p.Version) || !pipHash.MatchString(p.SHA256) {
			return nil, fault.New(fault.DependenciesMissing,
				"pip names a package without a version and a hash: "+printable(p.Name)).WithHint("use a registry that serves files with their hashes")
		}
		p.Indirect = !own[registryName(p.Name)]
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b Package) int { return strings.Compare(registryName(a.Name), registryName(b.Name)) })
	return out, nil
}

// lockOf is the list in pip's format, and its name.
func lockOf(list []Package) (text, name string) {
	var b strings.Builder
	for _, p := range list {
		b.WriteString(registryName(p.Name) + "==" + p.Version + " --hash=sha256:" + p.SHA256 + "\n")
	}
	return b.String(), digest([]byte(b.String()))[:32]
}

// resolve asks pip what it would install, and writes the lock that the installation uses. What the skill does not pin
// needs a person's approval.
func (s *Service) resolve(ctx context.Context, box *sandbox.Box, d *Dependency, dir, index string, env map[string]string,
	agreed string) error {
	args := []string{"python3", "-m", "pip", "install", "--dry-run", "--ignore-installed", "--quiet", "--report=report.json", "--no-input",
		"--no-cache-dir",
		"--disable-pip-version-check", "--only-binary=:all:", "--target=site", "--index-url=" + index + "/simple/",
		"--requirement=requirements.txt"}
	res, err := box.Exec(ctx, sandbox.Command{Args: args, Env: env})
	if err != nil {
		return err
	}
	if res.Killed != "" || res.ExitCode != 0 {
		return notFetched(*d, box, res.Stderr)
	}
	report, err := readWithin(dir, "report.json")
	if err != nil {
		return fault.New(fault.DependenciesMissing, "pip does not say what it would install").WithHint("pip 22.2 or newer is needed")
	}
	if d.Installed, err = packagesOf(report, string(d.files[0].Data)); err != nil {
		return err
	}
	text, name := lockOf(d.Installed)
	d.Lock = name
	if agreed != name && slices.ContainsFunc(d.Installed, func(p Package) bool { return p.Indirect }) {
		f := fault.New(fault.DependenciesMissing, "packages that the skill does not pin would be installed: "+indirect(d.Installed)).
			WithDetail("packages", d.Installed).WithDetail("lock", name)
		if agreed != "" {
			f = f.WithDetail("agreed", agreed)
		}
		return f.WithHint("look at them, then name exactly this list: --lock " + name + "; or have the skill pin them all")
	}
	if err := os.WriteFile(filepath.Join(dir, "locked.txt"), []byte(text), 0o644); err != nil {
		return full(err)
	}
	return nil
}

func indirect(list []Package) string {
	var out []string
	for _, p := range list {
		if p.Indirect {
			out = append(out, p.Name+" "+p.Version)
		}
	}
	return printable(strings.Join(out, ", "))
}

// readWithin reads a file that was made in the box, which may be a symlink or endless.
func readWithin(dir, name string) ([]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return regular.ReadIn(root, name, 8<<20)
}
