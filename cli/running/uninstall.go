package running

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/internal/agenthook"
	"showhow/internal/fault"
)

// uninstallFlags are the flags of `showhow uninstall`.
type uninstallFlags struct{ keepSkills, keepData, deleteData, dryRun bool }

func uninstallCommand(e *env) *cobra.Command {
	var f uninstallFlags
	cmd := kit.With(&cobra.Command{
		Use:   "uninstall",
		Short: "Take back what Showhow made on this computer, for you",
		Long: `Takes back what the install ledger knows: copies of skills in agents' folders, hooks and the entry of the MCP server
in agents' settings, keys and tokens in the keychain, the icon at login; and ends the window, the icon and the overlay
that run. You say what becomes of recordings, drafts and skills in Showhow's own folders: --keep-data leaves them for the
next time, --delete-data deletes them for good. It shows the list first and asks for your confirmation.

The programs themselves stay; the end says how they go.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return e.uninstall(cmd.Context(), f) },
	}, "showhow uninstall --dry-run", "showhow uninstall --keep-data", "showhow uninstall --delete-data --keep-skills")
	fl := cmd.Flags()
	fl.BoolVar(&f.keepSkills, "keep-skills", false, "leave the copies of skills where agents find them")
	fl.BoolVar(&f.keepData, "keep-data", false, "leave recordings, drafts, skills and settings in Showhow's folders")
	fl.BoolVar(&f.deleteData, "delete-data", false, "delete them, for good")
	fl.BoolVar(&f.dryRun, "dry-run", false, "only show what would be done")
	return cmd
}

// Uninstalled is the result.
type Uninstalled struct {
	client.Left
	Ended     []string `json:"ended"`     // programs that ran
	Deleted   []string `json:"deleted"`   // folders of Showhow's own
	ByYou     []string `json:"by_you"`    // what only the person can take back
	Remaining []string `json:"remaining"` // folders of Showhow's own that stay
}

func (e *env) uninstall(ctx context.Context, f uninstallFlags) error {
	if f.keepData && f.deleteData || !f.keepData && !f.deleteData && !f.dryRun {
		return kit.Usage("say what becomes of your recordings: --keep-data or --delete-data").WithHint(
			"`showhow uninstall --dry-run` shows what there is")
	}
	c, st, err := e.ConnectStatus(ctx)
	if err != nil {
		return err
	}
	settings, err := c.Settings(ctx)
	if err != nil {
		return err
	}
	l, err := c.Leaving(ctx)
	if err != nil {
		return err
	}
	doors := e.doors()
	for _, d := range doors {
		l.Outside = append(l.Outside, client.Outside{Kind: "door", Path: d.Path, For: d.Agent})
	}
	own, foreign := e.ownFolders(settings.Memory)
	e.sayPlan(l, own, foreign, f)
	if f.dryRun {
		return e.Show(func() {})
	}
	left, err := c.Leave(ctx, client.LeaveRequest{KeepSkills: f.keepSkills, DestroyKeys: f.deleteData})
	if err != nil {
		return err
	}
	if err := e.dropAutostart(); err != nil {
		left.Kept = append(left.Kept, client.Outside{Kind: "folder", Path: e.autostart(), Why: e.AsFault(err).Message})
	}
	for _, d := range doors {
		x := client.Outside{Kind: "door", Path: d.Path, For: d.Agent}
		if err := d.Disconnect(); err != nil {
			x.Why = e.AsFault(err).Message
			left.Kept = append(left.Kept, x)
		} else {
			left.Removed = append(left.Removed, x)
		}
	}
	ended, remain := e.endOthers(ctx)
	if err := c.StopDaemon(ctx, false); err != nil {
		return err
	}
	if err := e.WaitGone(ctx, st.PID); err != nil {
		return err
	}
	out := Uninstalled{Left: left, Ended: kit.List(ended), Deleted: []string{}, Remaining: foreign, ByYou: e.byYou()}
	for _, o := range remain {
		out.ByYou = append(out.ByYou, o+" still runs: close it")
	}
	for _, dir := range own {
		switch {
		case !f.deleteData && dir != e.Roots.Runtime:
			out.Remaining = append(out.Remaining, dir)
		case os.RemoveAll(dir) != nil:
			out.Remaining = append(out.Remaining, dir)
		default:
			out.Deleted = append(out.Deleted, dir)
		}
	}
	if e.JSON {
		return e.Print(out)
	}
	e.sayUninstalled(out)
	return nil
}

// doors are the entries of Showhow's MCP server in agents' configurations, also in those that the environment puts elsewhere.
func (e *env) doors() (out []agenthook.Door) {
	self, _ := os.Executable() // where it is not known, the entries are told by their program's name
	for _, dirs := range []map[string]string{nil, kit.AgentDirs(e.Env)} {
		for _, agent := range agenthook.Names {
			d, err := agenthook.DoorFor(agent, agenthook.Env{Home: e.Roots.Home, Exe: self, Dirs: dirs})
			if err == nil && d.Connected() && !slices.ContainsFunc(out, func(o agenthook.Door) bool { return o.Path == d.Path }) {
				out = append(out, d)
			}
		}
	}
	return out
}

// ownFolders returns the existing folders that belong to Showhow alone, and those that it shares, which are never
// deleted.
func (e *env) ownFolders(memory string) (own, foreign []string) {
	for _, dir := range []string{e.Roots.Data, e.Roots.State, filepath.Dir(e.Roots.Config), e.Roots.Runtime} {
		if _, err := os.Stat(dir); err != nil {
			continue
		}
		if base := filepath.Base(dir); base == "showhow" || dir == e.Roots.Runtime {
			own = append(own, dir)
		} else {
			foreign = append(foreign, dir)
		}
	}
	if rel, err := filepath.Rel(e.Roots.Data, memory); err != nil || !filepath.IsLocal(rel) {
		foreign = append(foreign, memory)
	}
	return own, foreign
}

// dropAutostart removes the autostart entry, if it is ours.
func (e *env) dropAutostart() error {
	text, err := os.ReadFile(e.autostart())
	if errors.Is(err, fs.ErrNotExist) || err == nil && !strings.Contains(string(text), autostartMark) {
		return nil
	}
	if err == nil {
		err = os.Remove(e.autostart())
	}
	if err != nil {
		return fault.Wrap(err, fault.Internal, "it cannot be removed")
	}
	return nil
}

// byYou lists what Showhow never wrote, and so never removes: lines in shell settings, an enabled unit, programs.
func (e *env) byYou() []string {
	var out []string
	for _, rc := range []string{".bashrc", ".bash_profile", ".profile", ".zshrc", ".config/fish/config.fish"} {
		text, err := os.ReadFile(filepath.Join(e.Roots.Home, rc))
		if err == nil && strings.Contains(string(text), "showhow shell-init") {
			out = append(out, "the line with `showhow shell-init` in ~/"+rc)
		}
	}
	if _, err := os.Lstat(filepath.Join(e.Roots.Home, ".config/systemd/user/default.target.wants/showhow.service")); err == nil {
		out = append(out, "the service: systemctl --user disable showhow")
	}
	self, err := os.Executable()
	switch {
	case err != nil:
	case filepath.Dir(self) == "/usr/bin":
		out = append(out, "the programs: apt remove showhow")
	default:
		out = append(out, "the programs in "+e.Roots.Tilde(filepath.Dir(self)))
	}
	return out
}

var outsideWords = map[string]string{"skill": "skill", "folder": "folder that Showhow made", "hook": "hook",
	"door": "entry of the MCP server", "keys": "keys of sealed values, in the keychain", "tokens": "connector's tokens, in the keychain",
	"signing_key": "key that signs skills, in the keychain"}

func (e *env) outsideText(x client.Outside) string {
	text := outsideWords[x.Kind]
	if x.For != "" {
		text += " for " + x.For
	}
	if x.Path != "" {
		text += ": " + e.Roots.Tilde(x.Path)
	}
	if x.Why != "" {
		text += " (" + x.Why + ")"
	}
	return text
}

func (e *env) sayPlan(l client.Leaving, own, foreign []string, f uninstallFlags) {
	e.Say("Made outside Showhow's own folders:")
	for _, x := range l.Outside {
		stays := ""
		if f.keepSkills && (x.Kind == "skill" || x.Kind == "folder") || f.keepData && x.Path == "" {
			stays = "  stays"
		}
		e.Say("  %s%s", e.outsideText(x), stays)
	}
	if len(l.Outside) == 0 {
		e.Say("  nothing")
	}
	e.Say("Showhow's own folders, with recordings, drafts, skills, settings and the managed browser's profile:")
	for _, dir := range own {
		what := "deleted with --delete-data, left with --keep-data"
		switch {
		case f.deleteData || dir == e.Roots.Runtime:
			what = "deleted"
		case f.keepData:
			what = "stays"
		}
		e.Say("  %s  %s", e.Roots.Tilde(dir), what)
	}
	for _, dir := range foreign {
		e.Say("  %s  stays: it may hold more than what is Showhow's", e.Roots.Tilde(dir))
	}
}

func (e *env) sayUninstalled(u Uninstalled) {
	e.Say("\nTaken back: %s. Deleted: %s.", kit.Plural(len(u.Removed), "entry", "entries"), kit.Plural(len(u.Deleted), "folder", "folders"))
	for _, o := range u.Ended {
		e.Say("  ended: %s", o)
	}
	for _, x := range u.Kept {
		e.Say("  stays: %s", e.outsideText(x))
	}
	for _, dir := range u.Remaining {
		e.Say("  stays: %s", e.Roots.Tilde(dir))
	}
	e.Say("What only you can take back:")
	for _, x := range u.ByYou {
		e.Say("  %s", x)
	}
}
