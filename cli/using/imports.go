package using

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// importCommands are `skill import` and `skill imports`.
func importCommands(e *env) []*cobra.Command {
	list := kit.With(&cobra.Command{Use: "imports", Short: "Skills that came from elsewhere: their reports, and what you decide about them",
		Long: "What was imported waits here, unpacked and read by nobody, until you approve, reject or discard it."},
		"showhow skill imports list", "showhow skill imports show ID")
	list.AddCommand(importList(e), importUploads(e), importShow(e), importScan(e), importStage(e), importApprove(e), importInstall(e),
		importReject(e), importDiscard(e),
		importRetry(e), importTest(e), importPacks(e))
	return []*cobra.Command{importSkill(e), list}
}

func importSkill(e *env) *cobra.Command {
	var r client.SkillSource
	cmd := e.Call("import PATH|URL|-", "Bring in a skill from elsewhere: scanned and shown, and installed only when you approve it",
		func(ctx context.Context, c *client.Client, args []string) error {
			if fromRegistry(args[0]) {
				r.Kind, r.Reference = "registry", args[0]
				return pullSkill(ctx, e, c, r)
			}
			up, err := e.bringIn(ctx, c, args[0], r)
			if err != nil {
				return err
			}
			s, err := c.ScanSkillImport(ctx, up.TempArtifact.TempArtifactRef)
			if err != nil {
				return err
			}
			if _, err := c.StageSkillImport(ctx, s.ImportRecord.ImportID, client.IfMatch(s.ImportRecord.Revision)); err != nil {
				return err
			}
			return e.showImport(ctx, c, s.ImportRecord.ImportID)
		})
	cmd.Args = cobra.ExactArgs(1)
	cmd.Long = "PATH is a folder with a SKILL.md, a .zip, .tar or .tar.gz, or the SKILL.md itself; URL is a git repository, or oci://REF " +
		"for a skill in a registry;\n- reads a SKILL.md from standard input.\n" +
		"Nothing of it is run, and nothing is installed: you see the report first."
	cmd.Flags().StringVar(&r.Within, "path", "", "the skill's `folder`, when there are several")
	cmd.Flags().StringVar(&r.Ref, "ref", "", "`branch`, tag or commit of a repository")
	cmd.Flags().StringVar(&r.RequestedPackID, "pack", "", "the `pack` that it belongs to")
	cmd.Flags().StringVar(&r.Notes, "note", "", "a `note` for yourself")
	return kit.With(cmd, "showhow skill import ~/Downloads/change-an-order.zip",
		"showhow skill import https://example.org/skills.git --path skills/change-an-order", "showhow skill import -")
}

// bringIn uploads what the argument names.
func (e *env) bringIn(ctx context.Context, c *client.Client, from string, r client.SkillSource) (client.SkillUpload, error) {
	switch {
	case from == "-":
		return e.importText(ctx, c, e.In, r)
	case strings.Contains(from, "://"):
		r.Kind, r.URL = "git", from
		return c.ImportSource(ctx, r)
	}
	path, err := filepath.Abs(from)
	if err != nil {
		return client.SkillUpload{}, fault.Wrap(err, fault.Usage, "the path cannot be used")
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return client.SkillUpload{}, fault.Wrap(err, fault.NotFound,
			"there is no such file or folder").WithHint("give a folder, an archive, a SKILL.md or the URL of a repository")
	case info.IsDir():
		r.Kind, r.Path = "folder", path
		return c.ImportSource(ctx, r)
	case !info.Mode().IsRegular(): // opening a pipe waits for who writes
		return client.SkillUpload{}, fault.New(fault.InvalidRequest, "this is neither a folder nor a file").
			WithHint("give a folder, an archive, a SKILL.md or the URL of a repository")
	}
	f, err := os.Open(path)
	if err != nil {
		return client.SkillUpload{}, fault.Wrap(err, fault.NotFound, "the file cannot be read")
	}
	defer f.Close()
	switch strings.ToLower(filepath.Ext(path)) {
	case ".zip":
		return c.UploadSkill(ctx, filepath.Base(path), f,
			client.SkillUploadMetadata{Notes: r.Notes, RequestedPackID: r.RequestedPackID, Within: r.Within})
	case ".md", ".markdown":
		return e.importText(ctx, c, f, r)
	}
	r.Kind, r.Path = "archive", path
	return c.ImportSource(ctx, r)
}

// maxPasted is more than a file of a skill may have.
const maxPasted = 1 << 20

func (e *env) importText(ctx context.Context, c *client.Client, in io.Reader, r client.SkillSource) (client.SkillUpload, error) {
	b, err := io.ReadAll(io.LimitReader(in, maxPasted+1))
	if err != nil {
		return client.SkillUpload{}, fault.Wrap(err, fault.Usage, "the SKILL.md cannot be read")
	}
	if len(b) == 0 || len(b) > maxPasted {
		return client.SkillUpload{}, fault.New(fault.Usage, "the SKILL.md is empty or larger than 1 MB")
	}
	r.Kind, r.Text = "text", string(b)
	return c.ImportSource(ctx, r)
}

// onImport returns a command that takes an import's id.
func (e *env) onImport(use, short string, f func(ctx context.Context, c *client.Client, d client.SkillImportDetail) error) *cobra.Command {
	cmd := e.Call(use+" IMPORT", short, func(ctx context.Context, c *client.Client, args []string) error {
		d, err := c.SkillImport(ctx, args[0])
		if err != nil {
			return err
		}
		return f(ctx, c, d)
	})
	cmd.Args = cobra.ExactArgs(1)
	cmd.ValidArgsFunction = e.Offer(importIDs)
	return kit.With(cmd, "showhow skill imports "+use+" 0199e5d1-2222-7000-8000-000000000000")
}

func importIDs(ctx context.Context, c *client.Client) ([]cobra.Completion, error) {
	l, err := c.SkillImports(ctx, client.SkillImportFilter{})
	var out []cobra.Completion
	for _, i := range l.Items {
		out = append(out, cobra.CompletionWithDesc(i.ImportID, kit.PlainText(i.SkillName)+", "+kit.Words(i.StageState)))
	}
	return out, err
}

func importList(e *env) *cobra.Command {
	var page kit.Pages
	var state string
	cmd := kit.With(page.Flags(e.Call("list", "List imports, newest first", func(ctx context.Context, c *client.Client, _ []string) error {
		q := page.Query()
		l, err := c.SkillImports(ctx, client.SkillImportFilter{State: state, Page: q.Page, PageSize: q.PageSize})
		if err != nil {
			return err
		}
		return e.Show(func() {
			e.Table(page.None(l.Total, "nothing has been imported yet"), kit.Columns("IMPORT", "STATE", "SCAN", "FROM", "SKILL"),
				func(row func(...any)) {
					for _, i := range l.Items {
						row(i.ImportID, kit.Words(i.StageState), i.Verdict, importFrom(i.Provenance), kit.PlainText(i.SkillName))
					}
				})
			page.More(e.Env, len(l.Items), l.Total)
		})
	})), "showhow skill imports list", "showhow skill imports list --state ready_for_review")
	kit.Choose(cmd, &state, "state", "", "only those in this state", "scan_failed", "scan_complete", "stage_failed", "ready_for_review",
		"install_failed",
		"installed_private", "approved", "rejected", "discarded", "expired")
	return cmd
}

func importUploads(e *env) *cobra.Command {
	var remove string
	cmd := e.Call("uploads", "List what was uploaded and is not staged yet", func(ctx context.Context, c *client.Client, _ []string) error {
		if remove != "" {
			return e.Done(c.DeleteSkillUpload(ctx, remove), "Deleted.")
		}
		l, err := c.SkillUploads(ctx)
		if err != nil {
			return err
		}
		return e.Show(func() {
			e.Table("nothing is uploaded", kit.Columns("UPLOAD", "FILE", "BYTES", "EXPIRES", ""), func(row func(...any)) {
				for _, u := range l.Uploads {
					row(u.TempArtifactRef, kit.PlainText(u.OriginalFilename), u.ByteSize, u.ExpiresAt, strings.Join(u.Warnings, " "))
				}
			})
		})
	})
	cmd.Flags().StringVar(&remove, "delete", "", "delete this `upload`")
	return kit.With(cmd, "showhow skill imports uploads")
}

func importShow(e *env) *cobra.Command {
	var file string
	cmd := e.onImport("show", "Show an import: where it is from, its files, what the scan found, what it would be allowed",
		func(ctx context.Context, c *client.Client, d client.SkillImportDetail) error {
			if file != "" {
				return e.showImportedFile(ctx, c, d.ImportRecord.ImportID, file)
			}
			return e.Show(func() { e.sayImport(d) })
		})
	cmd.Flags().StringVar(&file, "file", "", "show this `file` of it, with what was found in each line")
	return kit.With(cmd, "showhow skill imports show 0199e5d1-2222-7000-8000-000000000000",
		"showhow skill imports show 0199e5d1-2222-7000-8000-000000000000 --file SKILL.md")
}

// showImportedFile prints a file as it was scanned, with the findings at their lines. Nothing in it can control the
// terminal.
func (e *env) showImportedFile(ctx context.Context, c *client.Client, id, name string) error {
	r, err := c.SkillImportFiles(ctx, id)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(r.Files, func(f client.SkillFile) bool { return f.Path == name })
	if i < 0 {
		return fault.New(fault.NotFound, "the import has no such file").WithHint("showhow skill imports show " + id + " lists its files")
	}
	f := r.Files[i]
	found := map[int][]wire.ScanFinding{}
	for _, x := range r.Report.Findings {
		if x.File == name {
			found[x.Line] = append(found[x.Line], x)
		}
	}
	if e.JSON {
		return e.Print(f)
	}
	say := func(list []wire.ScanFinding) {
		for _, x := range list {
			e.Say("      ^ %s  %s: %s", x.Severity, kit.PlainText(x.Title), kit.PlainText(x.Meaning))
		}
	}
	say(found[0])
	if !utf8.Valid(f.Content) || bytes.IndexByte(f.Content, 0) >= 0 {
		e.Say("%s is no text: %d bytes", kit.PlainText(name), len(f.Content))
		return nil
	}
	n := 0
	for line := range strings.Lines(string(f.Content)) {
		n++
		e.Say("%5d %s", n, kit.PlainText(strings.TrimRight(line, "\r\n")))
		say(found[n])
	}
	return nil
}

func (e *env) showImport(ctx context.Context, c *client.Client, id string) error {
	d, err := c.SkillImport(ctx, id)
	if err != nil {
		return err
	}
	return e.Show(func() { e.sayImport(d) })
}

func importScan(e *env) *cobra.Command {
	cmd := e.Call("scan UPLOAD", "Scan an upload, which makes it an import", func(ctx context.Context, c *client.Client, args []string) error {
		s, err := c.ScanSkillImport(ctx, args[0])
		if err != nil {
			return err
		}
		return e.showImport(ctx, c, s.ImportRecord.ImportID)
	})
	cmd.Args = cobra.ExactArgs(1)
	return kit.With(cmd, "showhow skill imports scan 0199e5d1-1111-7000-8000-000000000000")
}

func importStage(e *env) *cobra.Command {
	return e.onImport("stage", "Unpack a scanned import for review",
		func(ctx context.Context, c *client.Client, d client.SkillImportDetail) error {
			_, err := c.StageSkillImport(ctx, d.ImportRecord.ImportID, client.IfMatch(d.ImportRecord.Revision))
			return e.Done(err, "Unpacked for review.\nnext: showhow skill imports show %s", d.ImportRecord.ImportID)
		})
}

func importApprove(e *env) *cobra.Command {
	var x client.ImportDecision
	cmd := e.decideImport("approve", "Approve exactly this content with these permissions, and install it; you confirm it with a code",
		"Approving", "Approved and installed as", &x, (*client.Client).ApproveSkillImport)
	cmd.Flags().StringVar(&x.Note, "note", "", "a `note` for yourself")
	return cmd
}

func importInstall(e *env) *cobra.Command {
	var x client.ImportDecision
	cmd := e.decideImport("install", "Install it for yourself; you confirm it with a code", "Installing", "Installed as", &x,
		(*client.Client).InstallSkillImport)
	kit.Choose(cmd, &x.TargetScope, "scope", "private", "private or workspace", "private", "workspace")
	return cmd
}

// decideImport returns a command that installs an import with exactly the content and the permissions that are shown.
func (e *env) decideImport(use, short, doing, done string, x *client.ImportDecision,
	decide func(*client.Client, context.Context, client.ImportDecision, ...client.Call) (client.SkillImportAction, error)) *cobra.Command {
	var p kit.PermissionFlags
	var read []int
	cmd := e.onImport(use, short, func(ctx context.Context, c *client.Client, d client.SkillImportDetail) error {
		r := d.ImportRecord
		x.ImportID, x.ContentHash = r.ImportID, r.ContentHash
		given := p.Given(asked(d), granted(d))
		x.Permissions = &given
		e.sayImportDecision(doing, d, given)
		if err := ticked(fault.SkillImportBlocked, d.FindingsToRead, read); err != nil {
			return err
		}
		x.FindingsRead = d.FindingsToRead
		out, err := decide(c, ctx, *x, client.IfMatch(r.Revision))
		if err == nil && out.SetAside != "" {
			return e.Done(nil, "%s %s.\nThe replaced version, with what you had changed, is set aside in %s", done,
				importedAs(out.ImportRecord), out.SetAside)
		}
		return e.Done(err, "%s %s.", done, importedAs(out.ImportRecord))
	})
	p.Add(cmd)
	p.AddAsAsked()
	findingFlags(cmd, &read, &x.AcceptFindings)
	return cmd
}

// findingFlags are a person's decision about what the scan found.
func findingFlags(cmd *cobra.Command, read *[]int, accept *bool) {
	cmd.Flags().IntSliceVar(read, "read", nil,
		"the `numbers` of those instructions for review that you have read and find harmless: all of them, one by one")
	cmd.Flags().BoolVar(accept, "accept-findings", false, "take it although the scan says that it should not be")
}

// ticked reports whether every instruction marked for review was read, by its number.
func ticked(code fault.Code, toRead []string, read []int) error {
	var left []string
	for i := range toRead {
		if !slices.Contains(read, i+1) {
			left = append(left, strconv.Itoa(i+1))
		}
	}
	if len(left) == 0 {
		return nil
	}
	return fault.New(code, "the skill tells the agent things that only you can judge").
		WithHint("read each; if it is harmless, say so by its number: --read "+strings.Join(left, ",")).WithDetail("findings", toRead)
}

func importReject(e *env) *cobra.Command {
	var reason string
	cmd := e.onImport("reject", "Reject it; its files are deleted",
		func(ctx context.Context, c *client.Client, d client.SkillImportDetail) error {
			_, err := c.RejectSkillImport(ctx, d.ImportRecord.ImportID, reason, client.IfMatch(d.ImportRecord.Revision))
			return e.Done(err, "Rejected; its files are deleted.")
		})
	cmd.Flags().StringVar(&reason, "reason", "not wanted", "why, in your `words`")
	return cmd
}

func importDiscard(e *env) *cobra.Command {
	return e.onImport("discard", "End an import that nobody wants any more; its files are deleted",
		func(ctx context.Context, c *client.Client, d client.SkillImportDetail) error {
			_, err := c.DiscardSkillImport(ctx, d.ImportRecord.ImportID, "", client.IfMatch(d.ImportRecord.Revision))
			return e.Done(err, "Discarded; its files are deleted.")
		})
}

func importRetry(e *env) *cobra.Command {
	return e.onImport("retry", "Do again what failed: the scan, the unpacking or the installation",
		func(ctx context.Context, c *client.Client, d client.SkillImportDetail) error {
			kind, _, _ := strings.Cut(string(d.ImportRecord.StageState), "_")
			if _, err := c.RetrySkillImport(ctx, d.ImportRecord.ImportID, kind, client.IfMatch(d.ImportRecord.Revision)); err != nil {
				return err
			}
			return e.showImport(ctx, c, d.ImportRecord.ImportID)
		})
}

func importTest(e *env) *cobra.Command {
	cmd := e.Call("test IMPORT SENTENCE", "Whether a sentence would find it once it is installed",
		func(ctx context.Context, c *client.Client, args []string) error {
			r, err := c.TestSkillTrigger(ctx, client.SkillTriggerTest{ImportID: args[0], TriggerText: args[1]})
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.Say("%s (%s)", map[bool]string{true: "It would be found.", false: "It would not be found."}[r.Matched], kit.Decimal(r.Score))
				for _, why := range append(r.Reasons, r.RejectionReasons...) {
					e.Say("  %s", kit.PlainText(why))
				}
			})
		})
	cmd.Args = cobra.ExactArgs(2)
	return kit.With(cmd, `showhow skill imports test 0199e5d1-2222-7000-8000-000000000000 "sort my invoices"`)
}

func importPacks(e *env) *cobra.Command {
	return kit.With(e.Call("packs", "List the packs that skills belong to", func(ctx context.Context, c *client.Client, _ []string) error {
		l, err := c.SkillPacks(ctx)
		if err != nil {
			return err
		}
		return e.Show(func() {
			e.Table("there are no packs", kit.Columns("PACK", "TITLE", "SKILLS", "SUPPORT PACKS", "CONNECTORS"), func(row func(...any)) {
				for _, p := range l.Packs {
					row(p.PackID, kit.PlainText(p.Title), kit.PlainText(strings.Join(p.Skills, " ")),
						kit.PlainText(strings.Join(p.DefaultSupportPacks, " ")), kit.PlainText(strings.Join(p.RecommendedConnectors, " ")))
				}
			})
		})
	}), "showhow skill imports packs")
}

func importedAs(r client.SkillImport) string {
	if r.AssignedNamespace != "" {
		return r.AssignedNamespace
	}
	return kit.PlainText(r.SkillName)
}

// asked is what an import uses according to the scan.
func asked(d client.SkillImportDetail) client.Permissions {
	if d.ScanReport == nil {
		return client.Permissions{}
	}
	p := d.ScanReport.Permissions
	return client.Permissions{Tools: p.Tools, Domains: p.Domains, Credentials: p.Credentials}
}

// granted is what the installed skill may use that an import replaces.
func granted(d client.SkillImportDetail) *client.Permissions {
	if d.Comparison == nil {
		return nil
	}
	return d.Comparison.Granted
}

// sayImportDecision shows what is about to be decided before the code is asked for.
func (e *env) sayImportDecision(verb string, d client.SkillImportDetail, given client.Permissions) {
	if e.JSON {
		return
	}
	r := d.ImportRecord
	e.Say("%s %s\n  content      %s", verb, importedAs(r), r.ContentHash)
	if c := d.Comparison; c != nil && c.Replaces {
		e.Say("  replaces     %s, in %s", kit.PlainText(c.SkillSlug), kit.Plural(len(c.Files), "file", "files"))
		if c.ChangedHere {
			e.Say("  gives up     %s", e.Wrap(15, givesUp(c)))
		}
	}
	e.sayGiven(asked(d), given)
	if s := d.ScanReport; s != nil {
		e.Say("  scan         %s, %s", s.Verdict, kit.Plural(len(s.Findings), "finding", "findings"))
		for _, f := range s.Findings {
			if f.Severity == wire.SeverityHigh || f.Severity == wire.SeverityCritical {
				e.Say("    %s  %s  %s", f.Severity, kit.Place(f.File, f.Line), kit.PlainText(f.Title))
			} else if i := slices.Index(d.FindingsToRead, f.ID()); i >= 0 {
				e.Say("    [%d]  %s  %s", i+1, kit.Place(f.File, f.Line), kit.PlainText(f.Excerpt))
			}
		}
	}
}

// givesUp says that an approval replaces what was changed here, and what would keep it.
func givesUp(c *wire.ImportComparison) string {
	text := "what you changed here and approved is not in it; an approval sets that version aside"
	if c.Mergeable {
		return text + ". To keep it, discard this import and run `showhow skill update " + c.SkillSlug + "`, which merges"
	}
	return text + ". `showhow skill export " + c.SkillSlug + "` keeps a copy first"
}

func (e *env) sayImportPermissions(d client.SkillImportDetail) {
	if d.ScanReport == nil {
		return
	}
	p := d.ScanReport.Permissions
	line := func(name string, list []string) {
		text := "none"
		if len(list) > 0 {
			text = kit.PlainText(strings.Join(list, ", "))
		}
		e.Say("  %-11s %s", name, e.Wrap(14, text))
	}
	line("agent tools", p.Tools)
	line("domains", p.Domains)
	line("credentials", p.Credentials)
}

// sayImport prints an import for a person: foreign text is printed without anything that a terminal would obey.
func (e *env) sayImport(d client.SkillImportDetail) {
	r := d.ImportRecord
	e.Say("%s\n  import   %s\n  state    %s\n  from     %s", importedAs(r), r.ImportID, kit.Words(r.StageState), e.Wrap(11, importOrigin(r)))
	if r.ContentHash != "" {
		e.Say("  content  %s", r.ContentHash)
	}
	if r.LastErrorCode != "" {
		e.Say("  failed   %s", e.Wrap(11, cmp.Or(r.LastError, r.LastErrorCode)))
	}
	e.sayImportPermissions(d)
	for _, w := range d.Warnings {
		e.Say("  warning  %s", e.Wrap(11, kit.Words(w)))
	}
	if len(d.Files) > 0 {
		e.Say("\nFiles")
		for _, f := range d.Files {
			mark := ""
			if f.Executable {
				mark = "  runs"
			}
			e.Say("  %8d  %s%s", f.Bytes, kit.PlainText(f.Path), mark)
		}
	}
	if d.FilesLeftOut > 0 {
		e.Say("  %s left out: no part of the skill", kit.Plural(d.FilesLeftOut, "file", "files"))
	}
	e.sayFindings(d)
	e.sayComparison(d)
	if f := d.Refused; f != nil {
		e.Say("\nIt cannot be approved: %s", e.Wrap(0, f.Message+". "+f.Hint))
	}
	if next := nextForImport(d); next != "" {
		e.Say("\nnext: %s", next)
	}
}

// importFrom is where an import is from, in a list: imports of one skill differ by it.
func importFrom(p wire.ImportProvenance) string {
	return strings.TrimSpace(p.Kind + " " + kit.PlainText(cmp.Or(p.Reference, p.URL)))
}

func importOrigin(r client.SkillImport) string {
	p := r.Provenance
	out := p.Kind
	if r.OriginalFilename != "" && p.Kind != "git" && p.Kind != "registry" && p.Kind != "connector" {
		name := r.OriginalFilename
		if p.Kind == "folder" || p.Kind == "text" {
			name = strings.TrimSuffix(name, ".zip") // packed here, by Showhow
		}
		out += ", " + kit.PlainText(name)
	}
	if p.URL != "" {
		out += ", " + kit.PlainText(p.URL) + " at " + p.Commit
	}
	if p.ConnectorID != "" {
		out += " " + p.ConnectorID
	}
	if p.Reference != "" {
		out += ", " + kit.PlainText(p.Reference) + ", content " + p.Digest
	}
	if p.Version != "" {
		out += ", version " + kit.PlainText(p.Version)
	}
	switch {
	case p.Signer != "":
		out += ", signed by the key " + p.Signer
	case p.Kind == "registry":
		out += ", signed by nobody"
	}
	if p.Merged {
		out += "; merged with your changes, so not the content that was signed"
	}
	if p.ApprovedThere {
		out += "; approved by whoever pushed it, which counts for nothing here"
	}
	return out
}

func (e *env) sayFindings(d client.SkillImportDetail) {
	if d.ScanReport == nil {
		return
	}
	e.Say("\nScan: %s", d.ScanReport.Verdict)
	e.SayFindings(d.ScanReport.Findings, d.FindingsToRead)
	if c := d.CompatibilityReport; c != nil {
		for _, f := range c.Findings {
			e.Say("  %-8s %s  %s", f.Severity, kit.PlainText(f.PathHint), e.Wrap(11, kit.PlainText(f.Message)))
		}
	}
}

// nextForImport is the next step for an import.
func nextForImport(d client.SkillImportDetail) string {
	r := d.ImportRecord
	switch r.StageState {
	case "scan_complete":
		return "showhow skill imports stage " + r.ImportID
	case "ready_for_review":
		if r.Verdict == "blocked" || d.Refused != nil {
			return "showhow skill imports reject " + r.ImportID
		}
		approve := "showhow skill imports approve " + r.ImportID
		if len(d.FindingsToRead) > 0 {
			approve += " --read NUMBERS, those in [ ] above, once you have read what they stand for"
		}
		return approve + "\n  or: showhow skill imports reject " + r.ImportID
	case "scan_failed", "stage_failed", "install_failed":
		if len(r.AllowedActions) == 0 {
			return "import it again, repaired"
		}
		return "showhow skill imports retry " + r.ImportID
	case "approved", "installed_private":
		return "showhow ability show " + r.AbilityID
	case "expired":
		return "import it again"
	}
	return ""
}
