package using

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/internal/fault"
)

const pullsAtOnce = 8

// synced is what became of one skill of the lock file.
type synced struct {
	lockedLine
	State  string `json:"state"` // installed, other_signer, changed_here, waiting, pulled, failed
	Import string `json:"import_id,omitempty"`
	Older  bool   `json:"older,omitempty"` // than the installed one: to approve it goes back
	Error  string `json:"error,omitempty"`
	err    error
}

func (r *synced) fails(state string, err error) {
	r.State, r.Error, r.err = state, string(fault.CodeOf(err)), err
}

func skillSync(e *kit.Env) *cobra.Command {
	var name string
	var write bool
	var add, drop []string
	cmd := e.Call("sync", "Bring in exactly the skills that a team's showhow.lock names; you approve each",
		func(ctx context.Context, c *client.Client, _ []string) error {
			if write {
				return writeLock(ctx, e, c, name, add, drop)
			}
			if len(add)+len(drop) > 0 {
				return kit.Usage("--add and --drop go with --write")
			}
			l, err := readLock(name)
			if err != nil {
				return err
			}
			rows, err := syncSkills(ctx, c, l)
			if err != nil {
				return err
			}
			return saySynced(e, rows)
		})
	cmd.Args = cobra.NoArgs
	cmd.Long = "For each skill of the lock file that is not installed with that content, exactly that content is pulled and waits for your " +
		"review.\nWhat is installed and not in the file stays. --write writes what came from registries and is installed here into the " +
		"file, and\nwhat was pushed from here. Skills that the file names already stay in it, also where they are not installed here or were " +
		"changed here;\n--drop takes one out. --add REF writes what REF leads to, if it holds, also where it is not installed here."
	cmd.Flags().StringVar(&name, "lock", lockName, "the lock `file`")
	cmd.Flags().BoolVar(&write, "write", false, "write the lock file instead")
	cmd.Flags().StringArrayVar(&add, "add", nil, "with --write: also what this `reference` leads to")
	cmd.Flags().StringArrayVar(&drop, "drop", nil, "with --write: take the skill with this `reference` out of the file")
	return kit.With(cmd, "showhow skill sync", "showhow skill sync --write --lock team/showhow.lock",
		"showhow skill sync --write --add registry.example.com/team/change-an-order:1.2",
		"showhow skill sync --write --drop registry.example.com/team/change-an-order")
}

func syncSkills(ctx context.Context, c *client.Client, l lockFile) ([]synced, error) {
	here, err := c.InstalledFromRegistries(ctx)
	if err != nil {
		return nil, err
	}
	waiting, err := waitingPulls(ctx, c)
	if err != nil {
		return nil, err
	}
	rows := make([]synced, len(l.Skills))
	g, pulling := errgroup.WithContext(ctx)
	g.SetLimit(pullsAtOnce)
	for i, x := range l.Skills {
		rows[i] = synced{lockedLine: x, State: "installed"}
		at := slices.IndexFunc(here, func(k client.SkillOutdated) bool {
			return contentOf(k.Reference, k.Digest) == contentOf(x.Reference, x.Digest)
		})
		if at >= 0 {
			switch {
			case x.Signer != "" && here[at].Signer != x.Signer:
				rows[i].fails("other_signer", otherSigner(here[at].Signer, "what is installed of "+kit.PlainText(x.Reference),
					"ask whoever wrote the file which key it should name; `showhow skill sync --write` writes what is installed"))
			case here[at].ChangedHere:
				rows[i].State = "changed_here"
			}
			continue
		}
		if id := waiting[contentOf(x.Reference, x.Digest)]; id != "" {
			rows[i].State, rows[i].Import = "waiting", id
			continue
		}
		g.Go(func() error {
			id, err := pullLocked(pulling, c, x)
			switch rows[i].Import, rows[i].State = id, "pulled"; {
			case fault.Is(err, fault.SkillImportWaiting): // two lines of the file may name it
				rows[i].Import, _ = fault.From(err).Details["import_id"].(string)
				rows[i].State = "waiting"
			case fault.Is(err, fault.SkillImportInstalled):
				rows[i].State = "installed"
			case err != nil:
				rows[i].fails("failed", err)
			}
			return pulling.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return rows, err
	}
	for i := range rows {
		if rows[i].Import == "" {
			continue
		}
		d, err := c.SkillImport(ctx, rows[i].Import)
		if err != nil {
			return rows, err
		}
		rows[i].Older = d.Comparison != nil && d.Comparison.Older
		// What waited before this was not pulled by the file's rule.
		if x := rows[i].lockedLine; x.Signer != "" && d.ImportRecord.Provenance.Signer != x.Signer {
			rows[i].fails("other_signer", otherSigner(d.ImportRecord.Provenance.Signer, "the import of "+kit.PlainText(x.Reference)+
				" that waits", "`showhow skill imports reject "+rows[i].Import+"`, then sync again"))
		}
	}
	return rows, nil
}

// otherSigner refuses a line whose content is here already and was signed by another key than the line names, or by nobody (by "").
func otherSigner(by, what, hint string) error {
	if by == "" {
		return fault.New(fault.RegistryUnsigned, what+" was taken without a signature, and the lock file names a key").WithHint(hint)
	}
	return fault.New(fault.RegistryOtherSigner, what+" was signed by another key than the lock file names").WithHint(hint)
}

// waitingPulls are the pulls that wait for a decision, by repository and digest.
func waitingPulls(ctx context.Context, c *client.Client) (map[string]string, error) {
	out := map[string]string{}
	for page := 1; ; page++ {
		l, err := c.SkillImports(ctx, client.SkillImportFilter{State: "ready_for_review", Page: page, PageSize: 100})
		if err != nil {
			return nil, err
		}
		for _, i := range l.Items {
			if p := i.Provenance; p.Digest != "" {
				out[contentOf(p.Reference, p.Digest)] = i.ImportID
			}
		}
		if page*100 >= l.Total {
			return out, nil
		}
	}
}

func pullLocked(ctx context.Context, c *client.Client, x lockedLine) (string, error) {
	up, err := c.ImportSource(ctx, client.SkillSource{Kind: "registry", Reference: x.Reference, Digest: x.Digest, Signer: x.Signer,
		Pin: "keep"})
	if err != nil {
		return "", err
	}
	return stageUpload(ctx, c, up)
}

func saySynced(e *kit.Env, rows []synced) error {
	var failed error
	n := map[string]int{}
	for _, r := range rows {
		n[r.State]++
		if r.err != nil {
			failed = cmp.Or(failed, r.err)
		}
	}
	if e.JSON {
		if err := e.Print(map[string]any{"skills": rows}); err != nil {
			return err
		}
		return failed
	}
	e.Table("the lock file names no skill", kit.Columns("STATE", "SKILL", "IMPORT"), func(row func(...any)) {
		for _, r := range rows {
			state := kit.Words(r.State)
			if r.Older {
				state += ", goes back"
			}
			row(state, kit.PlainText(r.Reference), cmp.Or(r.Import, r.Error))
		}
	})
	if n["pulled"]+n["waiting"] > 0 {
		e.Say("\nnext: showhow skill imports show IMPORT, then approve or reject each")
	}
	return failed
}

func writeLock(ctx context.Context, e *kit.Env, c *client.Client, name string, add, drop []string) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return fault.New(fault.Usage, "the lock file cannot be written there").WithHint(filepath.Base(name) + " is no plain file")
	}
	file, err := readLock(name)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err // it may be a team's work, though this version does not understand it
	}
	here, err := c.InstalledFromRegistries(ctx)
	if err != nil {
		return err
	}
	for _, ref := range add {
		v, err := c.VerifySkill(ctx, ref, "")
		if err != nil {
			return err
		}
		here = slices.DeleteFunc(here, func(k client.SkillOutdated) bool { return skillPath(k.Reference) == skillPath(v.Reference) })
		here = append(here, client.SkillOutdated{Reference: v.Reference, Digest: v.Digest, Signer: v.Signer})
	}
	l, rows, err := merged(file, here, drop)
	if err != nil {
		return err
	}
	if err := saveLock(name, l); err != nil {
		return fault.Wrap(err, fault.Usage, "the lock file cannot be written there")
	}
	if e.JSON {
		return e.Print(map[string]any{"skills": rows})
	}
	sayWritten(e, name, l, rows)
	return nil
}

func sayWritten(e *kit.Env, name string, l lockFile, rows []written) {
	e.Say("%s, with %s", name, kit.Plural(len(l.Skills), "skill", "skills"))
	missing := false
	for _, w := range rows {
		note := ""
		switch {
		case w.State == "same":
			continue
		case w.State == "left_out":
			note = ": it was changed here; `showhow skill push` shares it, then write the file again"
		case w.Why == "changed_here":
			note = ": it was changed here, so the file names what it named before"
		case w.Why == "not_installed":
			note, missing = ": it is not installed here", true
		case w.Was != nil:
			note = ", was " + w.Was.Reference + " " + w.Was.Digest
			if w.Was.Signer != w.Signer {
				note += ", signed by " + cmp.Or(w.Was.Signer, "nobody") + "; now by " + cmp.Or(w.Signer, "nobody")
			}
		}
		e.Say("  %-9s %s", kit.Words(w.State), e.Wrap(12, kit.PlainText(w.Reference+note)))
	}
	if len(rows) == 0 {
		e.Say("No skill that is installed here came from a registry or was pushed to one.")
	}
	if missing {
		e.Say("--drop REF takes one out of the file")
	}
}

func stageUpload(ctx context.Context, c *client.Client, up client.SkillUpload) (importID string, err error) {
	s, err := c.ScanSkillImport(ctx, up.TempArtifact.TempArtifactRef)
	if err != nil {
		return "", err
	}
	_, err = c.StageSkillImport(ctx, s.ImportRecord.ImportID, client.IfMatch(s.ImportRecord.Revision))
	return s.ImportRecord.ImportID, err
}
