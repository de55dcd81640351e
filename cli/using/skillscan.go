package using

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/skill"
	"showhow/daemon/skill/archive"
	"showhow/daemon/skill/scan"
	"showhow/daemon/wire"
	"showhow/internal/config"
	"showhow/internal/fault"
	"showhow/internal/twin"
)

func skillScan(e *env) *cobra.Command {
	var failOn string
	cmd := &cobra.Command{Use: "scan PATH|SKILL",
		Short: "Say what in a skill's folder or archive could harm you, without running anything of it",
		Args:  cobra.ExactArgs(1), RunE: func(cmd *cobra.Command, args []string) error {
			at, err := e.skillAt(args[0])
			if err != nil {
				return err
			}
			r, err := scanPath(cmd.Context(), at.path)
			if err != nil {
				return err
			}
			if err := e.showValue(r, func() { e.sayScan(r) }); err != nil {
				return err
			}
			if r.Verdict == wire.ScanBlocked || r.Verdict == wire.ScanReview && failOn == "review" {
				return fault.Newf(fault.SkillScanBlocked, "the scan says %s", r.Verdict).WithHint(at.afterScan(r.Verdict))
			}
			e.Say("next: %s", at.afterScan(r.Verdict))
			return nil
		}}
	cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		names, _ := e.Offer(kit.AbilityNames)(cmd, args, word)
		return names, cobra.ShellCompDirectiveDefault // or a path
	}
	cmd.Long = `PATH is a folder, a .zip or a .tar.gz; SKILL the name of one that is installed here or lies in an agent's folder.
Reads the skill on this machine: nothing is run, fetched or sent, and the daemon is not needed. A finding names file, line,
rule, what it is and why it matters. high and critical findings make the verdict blocked, medium ones review. The exit code
is 4 when the verdict is blocked, or as --fail-on says.`
	kit.Choose(cmd, &failOn, "fail-on", "blocked", "which verdict makes the exit code 4", "blocked", "review")
	return kit.With(cmd, "showhow skill scan ./my-skill", "showhow skill scan change-an-order",
		"showhow skill scan ~/.claude/skills/pdf --json", "showhow skill scan downloaded.zip --fail-on review")
}

// place is where an argument leads to.
type place struct {
	path      string
	installed string // the name of a skill that Showhow installed; "" for any other folder or file
}

// afterScan is what to do next with what was scanned there.
func (p place) afterScan(verdict wire.ScanConclusion) string {
	path, name := kit.PlainText(p.path), kit.PlainText(p.installed)
	switch {
	case verdict == wire.ScanBlocked && name != "":
		return "showhow ability quarantine " + name + " withdraws it; docs/scanning.md explains each rule"
	case verdict == wire.ScanBlocked:
		return "have its author change what is found: showhow skill import refuses it as it is; docs/scanning.md explains each rule"
	case name != "":
		return "showhow skill show " + name
	case verdict == wire.ScanReview:
		return "read what is found; then showhow skill import " + path + " imports it for your review"
	}
	return "showhow skill import " + path + " imports it for your review"
}

// skillAt resolves an argument: an existing path, else the skill of that name, as Showhow stores it or as an agent
// has it.
func (e *env) skillAt(arg string) (place, error) {
	if _, err := os.Stat(arg); err == nil || arg != filepath.Base(arg) || arg == "." || arg == ".." {
		return place{path: arg}, nil
	}
	cfg, err := config.Load(e.Roots)
	if err != nil {
		return place{}, err
	}
	isDir := func(path string) bool {
		info, err := os.Stat(path)
		return err == nil && info.IsDir()
	}
	if path := filepath.Join(cfg.Memory, "system", "learning", "installed", arg); isDir(path) {
		return place{path: path, installed: arg}, nil
	}
	for _, t := range cfg.Targets {
		if path := filepath.Join(t.Dir, arg); isDir(path) {
			return place{path: path}, nil
		}
	}
	return place{}, fault.New(fault.NotFound, "there is no such folder or file, and no such skill").
		WithHint("name a skill's folder, a .zip or .tar.gz with one skill, or a skill that `showhow skill list` names")
}

// showValue prints v for programs or calls human.
func (e *env) showValue(v any, human func()) error {
	if e.JSON {
		return e.Print(v)
	}
	human()
	return nil
}

// scanPath scans a folder, or the one skill in an archive.
func scanPath(ctx context.Context, name string) (wire.ScanReport, error) {
	info, err := os.Stat(name)
	if err != nil {
		return wire.ScanReport{}, fault.Wrap(err, fault.NotFound,
			"there is no such folder or file").WithHint("name a skill's folder, or a .zip or .tar.gz with one skill")
	}
	if info.IsDir() {
		root, err := os.OpenRoot(name)
		if err != nil {
			return wire.ScanReport{}, fault.Wrap(err, fault.InvalidRequest, "the folder cannot be read")
		}
		defer root.Close()
		full, err := filepath.Abs(name)
		if err != nil {
			return wire.ScanReport{}, fault.Wrap(err, fault.Usage, "the folder cannot be named")
		}
		return scanned(scan.Bundle(ctx, root.FS(), scan.Options{Name: filepath.Base(full)}))
	}
	if !info.Mode().IsRegular() { // a pipe has no end, and opening one waits for who writes
		return wire.ScanReport{}, fault.New(fault.InvalidRequest, "this is neither a folder nor a file").
			WithHint("name a skill's folder, or a .zip or .tar.gz with one skill")
	}
	b, err := readArchive(ctx, name, info.Size())
	if err != nil {
		return wire.ScanReport{}, err
	}
	folder, err := asFolder(b)
	if err != nil {
		return wire.ScanReport{}, err
	}
	return scanned(scan.Bundle(ctx, folder, scan.Options{Name: b.Name}))
}

// scanned is the report of a local scan in the API's format.
func scanned(r scan.Report, err error) (wire.ScanReport, error) {
	return twin.To[wire.ScanReport](r), err
}

func readArchive(ctx context.Context, name string, size int64) (skill.Bundle, error) {
	f, err := os.Open(name)
	if err != nil {
		return skill.Bundle{}, fault.Wrap(err, fault.InvalidRequest, "the archive cannot be read")
	}
	defer f.Close()
	c, err := archive.Read(ctx, f, size, archive.Limits{})
	if err != nil {
		return skill.Bundle{}, err
	}
	base, _, _ := strings.Cut(filepath.Base(name), ".")
	b, _, err := archive.Pick(c, "", base)
	return b, err
}

// asFolder is a bundle as the scanner reads it.
func asFolder(b skill.Bundle) (fs.FS, error) {
	packed, err := archive.Pack(b.Files)
	if err == nil {
		var z *zip.Reader
		if z, err = zip.NewReader(bytes.NewReader(packed), int64(len(packed))); err == nil {
			return z, nil
		}
	}
	return nil, fault.Wrap(err, fault.Internal, "the skill could not be scanned")
}

func (e *env) sayScan(r wire.ScanReport) {
	for _, f := range r.Findings {
		at := f.File
		if f.Line > 0 {
			at = fmt.Sprintf("%s:%d", f.File, f.Line)
		}
		e.Say("%s  %s  %s (%s)", at, f.Severity, f.Title, f.RuleID)
		e.Say("    %s", e.Wrap(4, f.Meaning))
		if f.Excerpt != "" {
			e.Say("    > %s", f.Excerpt)
		}
		e.Say("    why: %s", e.Wrap(9, f.Why))
	}
	e.sayCompatibility(r.Compatibility)
	or := func(s []string) string {
		if len(s) == 0 {
			return "none"
		}
		return e.Wrap(13, strings.Join(s, ", "))
	}
	e.Say("its content\n  does         %s\n  names hosts  %s\n  credentials  %s", or(r.Permissions.Tools), or(r.Permissions.Domains),
		or(r.Permissions.Credentials))
	e.Say("%s: %s in %s, %d bytes", r.Verdict, kit.Plural(len(r.Findings), "finding", "findings"), kit.Plural(r.FilesScanned, "file", "files"),
		r.Bytes)
}

func (e *env) sayCompatibility(c wire.SkillCompatibilityReport) {
	for _, f := range c.Findings {
		if f.Severity != "info" {
			e.Say("%s  %s  %s (%s)", strings.TrimSpace(f.PathHint), f.Severity, f.Message, f.Code)
		}
	}
}
