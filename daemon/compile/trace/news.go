package trace

import (
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/intent"
	"showhow/daemon/compile/page"
	"showhow/daemon/workflow"
	"showhow/internal/lang"
)

// MaxFilesTold bounds the files that a checkpoint mentions for a command, besides those that its line names.
const MaxFilesTold = 3

// ChangeKinds lists what an act changed on the page, as kinds of checks.
func ChangeKinds(a *Act) []string {
	if a.After == nil {
		return nil
	}
	b, s := a.StateBefore(), a.After
	var out []string
	note := func(kind string, yes bool) {
		if yes {
			out = append(out, kind)
		}
	}
	note("url", b.URL != "" && s.URL != "" && page.PathOf(b.URL) != page.PathOf(s.URL))
	note("dialog", a.Before != nil && !slices.Equal(b.Dialogs, s.Dialogs))
	note("alert", len(page.Fresh(b.Alerts, s.Alerts)) > 0)
	note("heading", a.Before != nil && len(page.FreshHeadings(b.Headings, s.Headings)) > 0)
	note("row_count", len(page.RowChanges(b, s)) > 0)
	note("detail", len(DetailChanges(a)) > 0)
	note("file", len(NewFiles(a)) > 0)
	return out
}

// NewFiles returns the names of the files that an act made or changed.
func NewFiles(a *Act) []string {
	var out []string
	for _, f := range FilesOf(a) {
		out = append(out, f.Name)
	}
	return out
}

// FilesOf returns the files that an act made or changed, each name once; hidden files, empty files and folders are left
// out.
func FilesOf(a *Act) []capture.File {
	var out []capture.File
	for _, f := range a.State().Files {
		same := func(o capture.File) bool { return o.Name == f.Name }
		if f.Size > 0 && f.Name != "" && !f.Dir && !strings.HasPrefix(f.Name, ".") && !slices.ContainsFunc(out, same) {
			out = append(out, f)
		}
	}
	return out
}

// DetailChanges returns the labels whose details on the page an act changed.
func DetailChanges(a *Act) []string {
	b, s := a.StateBefore(), a.State()
	if page.PathOf(b.URL) != page.PathOf(s.URL) {
		return nil
	}
	var out []string
	for _, f := range s.Details {
		was, is := page.DetailOf(b, f.Label), page.DetailOf(s, f.Label)
		if was != nil && is != nil && (was.LinkID != is.LinkID || was.Text != is.Text) {
			out = append(out, f.Label)
		}
	}
	return out
}

// Finishing reports whether a button's label says that it completes something.
func Finishing(label string) bool {
	for _, w := range page.LabelWords(label) {
		if intent.IsActionWord(w) && !openingWords.Has(w) {
			return true
		}
	}
	return false
}

var openingWords = lang.English("controls.beginning")

// Opened reports whether a dialog came up because of the act.
func Opened(a *Act) bool {
	return a.After != nil && len(page.Fresh(a.StateBefore().Dialogs, a.After.Dialogs)) > 0
}

// OnlyMoves reports whether an act led to another page and did nothing else.
func OnlyMoves(a *Act) bool {
	return a.Surface == workflow.OnBrowser && a.Moved && !a.Fills() && a.Verb != capture.Submit && a.File == nil && a.Dialog == nil &&
		len(page.Fresh(a.StateBefore().Alerts, a.State().Alerts)) == 0
}
