package rehearse

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"showhow/daemon/compile/shell"
	"showhow/daemon/workflow"
	"showhow/internal/fault"
)

// run performs a command line in the sandbox.
func (p *play) run(ctx context.Context, s workflow.Step, sc *scene) (told string, err error) {
	if s.Command == "" {
		return "", &halt{StepSkipped, CodeNotExamined, "its line is not known"}
	}
	line := p.supply.command(p.sites.line(s.Command))
	if len(p.supply.lacks(line, p.supply.known)) > 0 || strings.Contains(line, unknown) {
		return "", &halt{StepSkipped, CodeNeedsValue, "a word of the line is not known"}
	}
	if p.shell == nil {
		if p.shell, err = p.room.Shell(ctx, ShellSpec{Hosts: namedHosts(p.req), Fish: p.supply.fish}); err != nil {
			return "", err
		}
	}
	dir := p.folder(s.Dir)
	sc.dir = filepath.Join(p.room.Dir(), filepath.FromSlash(dir))
	if err := makeBelow(p.room.Dir(), dir); err != nil {
		return "", fault.Wrap(err, fault.Internal, "a folder of the run cannot be made")
	}
	res, err := p.shell.Run(ctx, line, orThe(dir, "."), p.leftRunning(s))
	if err != nil {
		return "", err
	}
	sc.command = &res
	p.heard(s, line, res)
	return p.ended(s, res)
}

// leftRunning are the programs that a step's checkpoints want to find running.
func (p *play) leftRunning(s workflow.Step) (out []string) {
	for _, c := range p.checksOf(s) {
		if name := p.supply.text(c.Name); c.Kind == "process" && !c.Gone && name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// checksOf are the checks of the checkpoints that stand at a step.
func (p *play) checksOf(s workflow.Step) (out []workflow.Check) {
	for _, cp := range p.req.Draft.Interpretation.Checkpoints {
		if cp.StepID == s.StepID && cp.Check != nil {
			out = append(append(out, *cp.Check), cp.MoreChecks...)
		}
	}
	return out
}

// makeBelow makes a folder of the run. What commands made there may be links that lead out of it: they are not followed.
func makeBelow(dir, sub string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if sub == "" {
		return nil
	}
	return root.MkdirAll(filepath.FromSlash(sub), 0o700)
}

// maybeNetwork says how a command may reach a site of the skill, where one that failed names one that it could not: a rehearsal's
// commands reach no host, not even this computer's, unless somebody named it.
func (p *play) maybeNetwork(program string) string {
	allowed := namedHosts(p.req)
	for _, site := range p.req.Draft.RequiredSites {
		for _, s := range p.req.Draft.Graph.Steps {
			if !slices.Contains(allowed, site) && strings.Contains(s.Command, site) && strings.Contains(s.Command, program) {
				return "; commands reach only what is named: --allow " + site + " lets them reach it"
			}
		}
	}
	return ""
}

// ended judges how a line ended where no checkpoint does.
func (p *play) ended(s workflow.Step, res CommandResult) (string, error) {
	told := ""
	if len(res.Refused) > 0 {
		told = fmt.Sprintf("the network is closed to %s", strings.Join(res.Refused[:min(len(res.Refused), 5)], ", "))
	}
	judged := slices.ContainsFunc(p.checksOf(s), func(c workflow.Check) bool { return c.Kind == "exit_code" })
	switch {
	case res.Killed != "":
		return "", &halt{StepFailed, CodeStepFailed, strings.TrimSpace("it was ended: " + res.Killed + "; " + told)}
	case len(res.Refused) > 0: // some programs take that for an answer
		return "", &halt{StepSkipped, CodePolicyViolation, told + ": name it with --allow if the run may reach it"}
	case judged || res.ExitCode == 0:
		return told, nil
	case res.ExitCode == 127:
		return "", &halt{StepFailed, CodeStepFailed, "a command of the line is not installed here"}
	}
	return "", &halt{StepFailed, CodeStepFailed, fmt.Sprintf("it ended with exit code %d", res.ExitCode)}
}

// namedHosts are the hosts that commands may reach: only those that somebody named, never the sites of the skill by themselves.
func namedHosts(req Request) []string {
	return append(slices.Clone(policyOf(req).AllowedDomains), req.AllowHosts...)
}

// folder is a demonstrated folder as one below the run's home.
func (p *play) folder(dir string) string {
	dir = p.supply.text(dir)
	if strings.Contains(dir, unknown) {
		dir, _, _ = strings.Cut(dir, unknown)
		dir = path.Dir(dir + "x")
	}
	dir = path.Clean("/" + strings.TrimPrefix(dir, "~"))
	return strings.TrimPrefix(dir, "/")
}

// The most that is copied into a run's folder.
const (
	maxCopied   = 200 << 20
	maxCopyFile = 100 << 20
)

// furnish makes the run's folder as the mode says: with copies of the files that the person named, and where the mode reads
// live data, of those that the commands name in the folders where they were shown. Originals are never written.
func (p *play) furnish() error {
	rule := rules[p.policy.Mode][onShell]
	left := int64(maxCopied)
	for _, t := range p.policy.SafeTargets {
		if from := p.home(t.Ref); filepath.IsAbs(from) && p.policy.Mode != BlankArtifact && (t.TargetKind == "temp_folder" || t.TargetKind == "copied_document") {
			if err := p.copyIn(from, p.workFolder(), &left); err != nil {
				return err
			}
		}
	}
	for name, v := range p.supply.bindings { // files that were given as values
		q := p.param(name)
		if q == nil || q.Kind != "file" || q.Derived != "" {
			continue
		}
		given := p.req.Parameters[name] != ""
		from := p.home(v)
		if !given || !filepath.IsAbs(from) {
			continue
		}
		if _, err := os.Stat(from); err != nil {
			continue
		}
		if err := p.copyIn(from, p.workFolder(), &left); err != nil {
			return err
		}
		p.supply.bindings[name] = filepath.Base(from)
	}
	p.supply.derive()
	if !rule.live {
		return nil
	}
	for _, s := range p.req.Draft.Graph.Steps {
		if s.Surface == onShell {
			if err := p.copyNamed(s, &left); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *play) param(name string) *workflow.Param {
	for i, q := range p.supply.params {
		if q.Name == name {
			return &p.supply.params[i]
		}
	}
	return nil
}

// workFolder is where the commands begin.
func (p *play) workFolder() string {
	for _, s := range p.req.Draft.Graph.Steps {
		if s.Surface == onShell {
			return p.folder(s.Dir)
		}
	}
	return ""
}

// home resolves "~" of the person, not of the run.
func (p *play) home(name string) string {
	if rest, ok := strings.CutPrefix(name, "~/"); ok && p.r.o.Home != "" {
		return filepath.Join(p.r.o.Home, rest)
	}
	return name
}

// copyNamed copies what a line names and that is in the folder where it was shown: files, folders, what a pattern matches, for
// git the repository, and for a script of the folder, make and their like the whole folder. In a loop it does so for each round.
func (p *play) copyNamed(s workflow.Step, left *int64) error {
	dir := p.home(p.supply.text(s.Dir))
	if s.Dir == "~" {
		dir = p.r.o.Home
	}
	if !filepath.IsAbs(dir) {
		return nil
	}
	rounds := []map[string]string{{}}
	if l := p.loopOf(s.StepID); l != nil {
		if all, err := p.supply.rounds(*l); err == nil && len(all) > 0 {
			rounds = all
		}
	}
	named := map[string]bool{}
	for _, items := range slices.Backward(rounds) { // the first round's values stay
		p.supply.turn(items)
		line := p.supply.command(s.Command)
		if slices.Contains(shell.ProgramsOf(line), "git") {
			named[p.repository(dir)] = true
		}
		if p.worksThere(dir, line) && !p.holdsHome(dir) {
			named[dir] = true
		}
		for _, w := range shell.WordsOf(line) {
			for _, found := range p.namedFiles(dir, w) {
				named[found] = true
			}
			if err := p.makeFolderOf(dir, p.folder(s.Dir), w); err != nil {
				return err
			}
		}
	}
	for _, found := range slices.Sorted(maps.Keys(named)) {
		rel, err := filepath.Rel(dir, found)
		if found == "" || err != nil {
			continue
		}
		into := path.Join("/", p.folder(s.Dir), filepath.ToSlash(rel))
		if info, err := os.Lstat(found); err == nil && !info.IsDir() {
			into = path.Dir(into)
		}
		if err := p.copyIn(found, strings.TrimPrefix(into, "/"), left); err != nil {
			return err
		}
	}
	return nil
}

// makeFolderOf makes the folder that a word of a line names something in, empty, where it is there for the person: what a line
// writes has a place to go to.
func (p *play) makeFolderOf(dir, at, word string) error {
	in := filepath.Dir(word)
	if in == "." || strings.ContainsAny(word, "{$*?[") || filepath.IsAbs(word) || !filepath.IsLocal(word) {
		return nil
	}
	if info, err := os.Lstat(filepath.Join(dir, in)); err != nil || !info.IsDir() {
		return nil
	}
	return makeBelow(p.room.Dir(), path.Join(at, filepath.ToSlash(in)))
}

// namedFiles lists the files and folders below dir that a word of a line names. Links are none, and nobody's whole home is one.
func (p *play) namedFiles(dir, word string) (out []string) {
	if strings.ContainsAny(word, "{$") || filepath.IsAbs(word) || !filepath.IsLocal(word) {
		return nil
	}
	at := []string{filepath.Join(dir, word)}
	if strings.ContainsAny(word, "*?[") {
		at, _ = filepath.Glob(at[0]) // a word that is no pattern matches nothing
	}
	for _, name := range at {
		info, err := os.Lstat(name)
		if err == nil && (info.Mode().IsRegular() || info.IsDir() && !p.holdsHome(name)) {
			out = append(out, name)
		}
	}
	return out
}

// holdsHome reports whether a folder is the person's home or around it.
func (p *play) holdsHome(dir string) bool {
	rel, err := filepath.Rel(dir, p.r.o.Home)
	return err == nil && filepath.IsLocal(rel)
}

// worksThere reports whether a line works on the folder as a whole: it runs a program that lies in it, or one that reads what to do
// from a file there.
func (p *play) worksThere(dir, line string) bool {
	return slices.ContainsFunc(shell.ScriptsOf(line), func(script string) bool { return len(p.namedFiles(dir, script)) > 0 }) ||
		slices.ContainsFunc(shell.ProgramsOf(line), func(program string) bool { return projectPrograms[program] })
}

// projectPrograms read what to do from a file in the folder where they are run.
var projectPrograms = map[string]bool{"make": true, "gmake": true, "just": true, "task": true, "npm": true, "npx": true, "yarn": true, "pnpm": true, "bun": true, "cargo": true, "go": true, "mvn": true, "gradle": true, "ant": true, "rake": true, "bundle": true, "composer": true, "tox": true, "nox": true, "pytest": true, "poetry": true, "uv": true, "dotnet": true, "cmake": true, "ninja": true, "bazel": true, "meson": true, "hugo": true, "mkdocs": true, "latexmk": true}

// repository is the folder of the git repository that dir is in, "" outside.
func (p *play) repository(dir string) string {
	for ; !p.holdsHome(dir) && filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		if info, err := os.Lstat(filepath.Join(dir, ".git")); err == nil && info.IsDir() {
			return dir
		}
	}
	return ""
}

var errTooMuch = errors.New("too much to copy")

// copyIn copies a file, or what is in a folder, into a folder of the run. Links are left out: they lead elsewhere.
func (p *play) copyIn(from, into string, left *int64) error {
	base := from
	if info, err := os.Stat(from); err != nil {
		return nil // what is not there cannot be used; the command will say
	} else if !info.IsDir() {
		base = filepath.Dir(from)
	}
	err := filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() && !d.Type().IsRegular() {
			return nil
		}
		rel, err := filepath.Rel(base, name)
		if err != nil {
			return err
		}
		to := filepath.Join(p.room.Dir(), filepath.FromSlash(into), rel)
		if d.IsDir() {
			return os.MkdirAll(to, 0o700)
		}
		info, err := d.Info()
		if err != nil {
			return nil
		}
		if *left -= info.Size(); info.Size() > maxCopyFile || *left < 0 {
			return errTooMuch
		}
		return copyFile(name, to)
	})
	if errors.Is(err, errTooMuch) {
		return fault.New(fault.TooLarge, "the files that the run works on are too large to copy").WithHint("name a smaller file or folder as safe target")
	}
	if err != nil {
		return fault.Wrap(err, fault.Internal, "a file could not be copied into the run's folder")
	}
	return nil
}

func copyFile(from, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600|info.Mode()&0o100) // a program stays one
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// fileFor finds the file to upload in the run's folder: one that was given, or that an earlier step made.
func (p *play) fileFor(name string) (string, error) {
	if name == "" || strings.Contains(name, unknown) {
		return "", &halt{StepSkipped, CodeNeedsValue, "which file to upload is not known"}
	}
	if filepath.IsAbs(name) {
		if rel, err := filepath.Rel(p.room.Dir(), name); err == nil && filepath.IsLocal(rel) {
			return name, nil
		}
	}
	base := filepath.Base(filepath.FromSlash(name))
	found := ""
	_ = filepath.WalkDir(p.room.Dir(), func(at string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && d.Name() == base && found == "" {
			found = at
		}
		return nil
	})
	if found == "" {
		return "", &halt{StepSkipped, CodeNeedsValue, "the file to upload is not there: give its path as the value"}
	}
	return found, nil
}
