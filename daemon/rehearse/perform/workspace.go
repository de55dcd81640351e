package perform

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/shell"
	"showhow/daemon/rehearse/policy"
	"showhow/daemon/rehearse/record"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
	"showhow/internal/fault"
)

// workspace is the folder of a run: copies of the files that its commands work on. Originals are never written.
type workspace struct{ *job }

// makeBelow makes a folder of the run. What commands made there may be symlinks that lead out of it: they are not
// followed.
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

// folder maps a demonstrated folder to one below the run's home.
func (p *workspace) folder(dir string) string {
	dir = p.supply.Text(dir)
	if strings.Contains(dir, supply.Unknown) {
		dir, _, _ = strings.Cut(dir, supply.Unknown)
		dir = path.Dir(dir + "x")
	}
	dir = path.Clean("/" + strings.TrimPrefix(dir, "~"))
	return strings.TrimPrefix(dir, "/")
}

// Bounds of what is copied into a run's folder.
const (
	maxCopied   = 200 << 20
	maxCopyFile = 100 << 20
)

// furnish makes the run's folder as the mode requires: with copies of the files that the person named and, where the
// mode reads live data, of those that the commands name in their demonstrated folders. Originals are never written.
func (p *workspace) furnish() error {
	rule := policy.Rules[p.policy.Mode][policy.OnShell]
	left := int64(maxCopied)
	for _, t := range p.policy.SafeTargets {
		if from := p.personal(t.Ref); filepath.IsAbs(from) && p.policy.Mode != policy.BlankArtifact &&
			(t.TargetKind == "temp_folder" || t.TargetKind == "copied_document") {
			if err := p.copyIn(from, p.workFolder(), &left); err != nil {
				return err
			}
		}
	}
	for name, v := range p.supply.Bindings { // files that were given as values
		q := p.param(name)
		if q == nil || q.Kind != "file" || q.Derived != "" {
			continue
		}
		given := p.Req.Parameters[name] != ""
		from := p.personal(v)
		if !given || !filepath.IsAbs(from) {
			continue
		}
		if _, err := os.Stat(from); err != nil {
			continue
		}
		if err := p.copyIn(from, p.workFolder(), &left); err != nil {
			return err
		}
		p.supply.Bindings[name] = filepath.Base(from)
	}
	p.supply.Derive()
	if !rule.Live {
		return nil
	}
	for _, s := range p.Req.Draft.Graph.Steps {
		if s.Surface == policy.OnShell {
			if err := p.copyNamed(s, &left); err != nil {
				return err
			}
		}
	}
	return nil
}

// workFolder is the folder in which the commands start.
func (p *workspace) workFolder() string {
	for _, s := range p.Req.Draft.Graph.Steps {
		if s.Surface == policy.OnShell {
			return p.folder(s.Dir)
		}
	}
	return ""
}

// personal resolves "~" to the person's home, not the run's.
func (p *workspace) personal(name string) string {
	if rest, ok := strings.CutPrefix(name, "~/"); ok && p.Home != "" {
		return filepath.Join(p.Home, rest)
	}
	return name
}

// downloadedBefore reports whether an earlier step of the work downloads a file with the name: an existing one would
// be taken for the step's result.
func (p *workspace) downloadedBefore(s workflow.Step, name string) bool {
	for _, o := range p.Req.Draft.Graph.Steps {
		if o.StepID == s.StepID {
			return false
		}
		if o.Surface == policy.OnBrowser && o.File != nil && o.Verb != capture.Upload && p.supply.Text(o.File.Name) == name {
			return true
		}
	}
	return false
}

// copyNamed copies what a line names in its demonstrated folder: files, folders, matches of a pattern, for git the
// repository, and for a script of the folder, make and the like the whole folder. In a loop it does so for each round.
func (p *workspace) copyNamed(s workflow.Step, left *int64) error {
	dir := p.personal(p.supply.Text(s.Dir))
	if s.Dir == "~" {
		dir = p.Home
	}
	if !filepath.IsAbs(dir) {
		return nil
	}
	rounds := []map[string]string{{}}
	if l := p.loopOf(s.StepID); l != nil {
		if all, err := p.supply.Rounds(*l); err == nil && len(all) > 0 {
			rounds = all
		}
	}
	named := map[string]bool{}
	for _, items := range slices.Backward(rounds) { // the first round's values stay
		p.supply.BindRound(items)
		line := p.supply.Command(s.Command)
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
		if found == "" || err != nil || p.downloadedBefore(s, filepath.Base(found)) {
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

// makeFolderOf makes an empty folder for a path that a word of a line names, if the person has that folder, so that
// the line can write there.
func (p *workspace) makeFolderOf(dir, at, word string) error {
	in := filepath.Dir(word)
	if in == "." || strings.ContainsAny(word, "{$*?[") || filepath.IsAbs(word) || !filepath.IsLocal(word) {
		return nil
	}
	if info, err := os.Lstat(filepath.Join(dir, in)); err != nil || !info.IsDir() {
		return nil
	}
	return makeBelow(p.room.Dir(), path.Join(at, filepath.ToSlash(in)))
}

// namedFiles lists the files and folders below dir that a word of a line names, without symlinks and without a whole
// home folder.
func (p *workspace) namedFiles(dir, word string) (out []string) {
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

// holdsHome reports whether a folder is the person's home or contains it.
func (p *workspace) holdsHome(dir string) bool {
	rel, err := filepath.Rel(dir, p.Home)
	return err == nil && filepath.IsLocal(rel)
}

// worksThere reports whether a line works on the folder as a whole: it runs a program that lies in it, or one that
// reads instructions from a file there.
func (p *workspace) worksThere(dir, line string) bool {
	return slices.ContainsFunc(shell.ScriptsOf(line), func(script string) bool { return len(p.namedFiles(dir, script)) > 0 }) ||
		slices.ContainsFunc(shell.ProgramsOf(line), func(program string) bool { return projectPrograms[program] })
}

// projectPrograms read their instructions from a file in the folder where they are run.
var projectPrograms = map[string]bool{"make": true, "gmake": true, "just": true, "task": true, "npm": true, "npx": true, "yarn": true,
	"pnpm": true, "bun": true, "cargo": true, "go": true, "mvn": true, "gradle": true, "ant": true, "rake": true, "bundle": true,
	"composer": true, "tox": true, "nox": true, "pytest": true, "poetry": true, "uv": true, "dotnet": true, "cmake": true, "ninja": true,
	"bazel": true, "meson": true, "hugo": true, "mkdocs": true, "latexmk": true}

// repository is the folder of the git repository that contains dir, "" outside of one.
func (p *workspace) repository(dir string) string {
	for ; !p.holdsHome(dir) && filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		if info, err := os.Lstat(filepath.Join(dir, ".git")); err == nil && info.IsDir() {
			return dir
		}
	}
	return ""
}

var errTooMuch = errors.New("too much to copy")

// copyIn copies a file, or a folder's content, into a folder of the run. Symlinks are left out: they lead elsewhere.
func (p *workspace) copyIn(from, into string, left *int64) error {
	base := from
	if info, err := os.Stat(from); err != nil {
		return nil // a missing file cannot be used; the command will report it
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
		return fault.New(fault.TooLarge, "the files that the run works on are too large to copy").WithHint(
			"name a smaller file or folder as safe target")
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
func (p *workspace) fileFor(name string) (string, error) {
	if name == "" || strings.Contains(name, supply.Unknown) {
		return "", &halt{record.StepSkipped, record.CodeNeedsValue, "which file to upload is not known"}
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
		return "", &halt{record.StepSkipped, record.CodeNeedsValue, "the file to upload is not there: give its path as the value"}
	}
	return found, nil
}
