package agentrun

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"showhow/daemon/journal"
	"showhow/daemon/sandbox"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/twin"
)

const (
	prepareTime = 10 * time.Minute
	keptFor     = 30 * 24 * time.Hour // that no run used it
)

// ToPrepare returns the skill whose packages would be fetched, in its current state: what a person confirms.
func (s *Service) ToPrepare(ctx context.Context, name string) (Skill, error) {
	k, err := s.o.Skills.Skill(ctx, name)
	if err == nil && !(k.Trust == "approved" && (k.Usable || k.Code == commandMissing)) {
		err = fault.New(fault.TrustRequired, "the skill cannot be used as it is: "+k.Reason).WithHint(
			"approve it first; the packages of a skill that nobody approved are not fetched")
	}
	return k, err
}

// Prepare fetches the packages that an approved skill declares, in a sandbox that reaches only the named hosts, runs
// none of the packages' own programs, and keeps them for runs, read-only. Cached packages are not fetched again.
func (s *Service) Prepare(ctx context.Context, r PrepareRequest) (Prepared, error) {
	out := Prepared{HostsReached: []string{}, HostsRefused: []string{}, Dependencies: []wire.SandboxDependency{}, SchemaVersion: 1}
	if err := Probe(); err != nil {
		return out, err
	}
	k, err := s.ToPrepare(ctx, r.Skill)
	if err != nil {
		return out, err
	}
	index := map[bool]string{true: "http://", false: "https://"}[strings.HasPrefix(r.Registries[0], "http://")]
	bare := make([]string, 0, len(r.Registries))
	for _, h := range r.Registries {
		bare = append(bare, strings.TrimPrefix(strings.TrimPrefix(h, "http://"), "https://"))
	}
	hosts, err := normalHosts(bare)
	if err != nil {
		return out, err
	}
	s.preparing.Lock()
	defer s.preparing.Unlock()
	out.SkillSlug = k.Slug
	for _, d := range s.needs(k.Bundle) {
		if d.Problem != "" {
			return out, fault.New(fault.DependenciesMissing, printable(d.Manifest)+": "+d.Problem).WithHint("have the skill pin its packages")
		}
		if !d.Prepared {
			if err := s.fetch(ctx, &d, hosts, index+hosts[0], r.Lock, &out); err != nil {
				return out, err
			}
			d.Prepared = true
		}
		out.Dependencies = append(out.Dependencies, twin.To[wire.SandboxDependency](d))
	}
	if len(out.Dependencies) == 0 {
		return out, nil
	}
	err = s.o.Store.Update(ctx, func(tx Tx) error {
		rec := journal.Receipt{Kind: journal.RunPrepared, AbilityID: k.AbilityID,
			Summary: "Packages that a skill declares were fetched in the sandbox for its runs.", Reason: strings.Join(out.HostsReached, " ")}
		if err := tx.AddReceipt(rec); err != nil {
			return err
		}
		return tx.Emit(journal.Event{Kind: journal.RunPrepared,
			Payload: map[string]any{"ability_id": k.AbilityID, "manifests": len(out.Dependencies)}})
	})
	return out, err
}

// installers fetch packages without running any of them: the program, and the folder in which it leaves the packages.
var installers = map[string]struct {
	program, result string
	command         func(index string) []string
}{
	"npm": {"npm", "node_modules", func(index string) []string {
		return []string{"npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--omit=dev", "--cache=/tmp/npm",
			"--registry=" + index + "/"}
	}},
	"pip": {"python3", "site", func(index string) []string {
		return []string{"python3", "-m", "pip", "install", "--no-input", "--no-cache-dir", "--disable-pip-version-check", "--only-binary=:all:",
			"--target=site", "--no-deps", "--require-hashes", "--index-url=" + index + "/simple/", "--requirement=locked.txt"}
	}},
}

func (s *Service) fetch(ctx context.Context, d *Dependency, hosts []string, index, agreed string, out *Prepared) error {
	in := installers[d.Kind]
	if !inBox(in.program) {
		return fault.New(fault.DependenciesMissing, in.program+" is not installed where the sandbox finds it").WithHint(
			"install it with your system's package manager")
	}
	dir := filepath.Join(s.o.Cache, ".new-"+s.o.NewID())
	if err := os.MkdirAll(s.o.Cache, 0o700); err != nil {
		return full(err)
	}
	defer remove(dir)
	if err := furnish(dir, d.files); err != nil {
		return err
	}
	box, err := sandbox.Open(ctx, sandbox.Spec{Dir: dir, Hosts: hosts, Network: true, Timeout: prepareTime, Dial: s.o.Dial})
	if err != nil {
		return err
	}
	defer box.Close()
	env := map[string]string{"PIP_CONFIG_FILE": "/dev/null"}
	if strings.HasPrefix(index, "http://") {
		env["PIP_TRUSTED_HOST"] = hosts[0]
	}
	if d.Kind == "pip" {
		if err := s.resolve(ctx, box, d, dir, index, env, agreed); err != nil {
			return err
		}
	}
	res, err := box.Exec(ctx, sandbox.Command{Args: in.command(index), Env: env})
	out.HostsReached, out.HostsRefused = append(out.HostsReached, box.Reached()...), append(out.HostsRefused, box.Refused()...)
	if err != nil {
		return err
	}
	if res.Killed != "" || res.ExitCode != 0 {
		return notFetched(*d, box, res.Stderr)
	}
	made := filepath.Join(dir, in.result)
	if err := openToAll(made); err != nil {
		return full(err)
	}
	if err := os.Rename(made, s.prepared(*d)); err != nil {
		return full(err)
	}
	return nil
}

func notFetched(d Dependency, box *sandbox.Box, said []byte) error {
	f := fault.New(fault.DependenciesMissing, "the packages could not be fetched: "+printable(d.Manifest)).WithDetail("hosts_refused",
		box.Refused()).WithDetail("said", lastLine(said))
	if len(box.Refused()) > 0 {
		return f.WithHint("it asked for hosts that were not named: " + strings.Join(box.Refused(),
			" ") + "; name them with --registry if you trust them")
	}
	return f.WithHint("check that the registry answers and has the versions that the skill names")
}

// lastLine is an installer's last error line, fit to be shown.
func lastLine(b []byte) string {
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	return printable(lines[len(lines)-1])
}

// openToAll lets every account read, and none write: each run as root uses another account. Symlinks are left alone;
// the box decides where they lead.
func openToAll(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || d.Type()&fs.ModeSymlink != 0:
			return err
		case d.IsDir():
			return os.Chmod(name, 0o755)
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return os.Chmod(name, 0o444|info.Mode()&0o111)
	})
}

// lend returns where the box finds the prepared packages.
func (l *live) lend(work string) map[string]string {
	at := map[string]string{}
	now := time.Now()
	for _, d := range l.plan.Dependencies {
		_ = os.Chtimes(l.s.prepared(d), now, now)
		at[sandbox.HomeIn(work)+"/"+d.place()] = l.s.prepared(d)
	}
	return at
}

// python returns where Python finds its own among them.
func (l *live) python(work string) string {
	var at []string
	for _, d := range l.plan.Dependencies {
		if d.Kind == "pip" {
			at = append(at, sandbox.HomeIn(work)+"/"+d.place())
		}
	}
	return strings.Join(at, ":")
}

// forgetUnused removes packages that no run used for a while, and the remains of an interrupted preparation.
func (s *Service) forgetUnused() {
	if s.o.Cache == "" {
		return
	}
	entries, _ := os.ReadDir(s.o.Cache)
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && (strings.HasPrefix(e.Name(), ".new-") || s.o.Now().Sub(info.ModTime()) > keptFor) {
			_ = remove(filepath.Join(s.o.Cache, e.Name()))
		}
	}
}
