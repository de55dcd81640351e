package flow

import (
	"cmp"
	"path"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/intent"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/shell"
	"showhow/daemon/compile/trace"
	"showhow/internal/plain"
)

// RequestFor returns the request of a person who wants this step's effect, without its values: the title when nobody
// gave one.
func RequestFor(st *Step, n *Names) string {
	switch {
	case st.FileTemplate != "" && st.Verb == capture.Download:
		return "download the " + cmp.Or(strings.ToUpper(strings.TrimPrefix(page.ExtOf(st.Act.File), ".")), "the file") + " file"
	case st.Act.Command != nil:
		return commandWish(st)
	}
	if w := controlWish(st); w != "" {
		return w
	}
	return phrase(st, n, false)
}

// commandWish describes a command as a request, by its program and result: "make a gz file with tar", "commit with git".
func commandWish(st *Step) string {
	l := shell.Read(st.Act.Command)
	shown := l.DisplayName(st.Program)
	if program, sub, ok := strings.Cut(shown, " "); ok {
		return strings.ReplaceAll(sub, "-", " ") + " with " + program
	}
	made := l.Makes()
	made = append(made, trace.NewFiles(st.Act.Act)...)
	if len(made) > 0 {
		if strings.Contains(made[0], ".tar.") {
			return "make an archive with " + shown
		}
		if ext := strings.TrimPrefix(path.Ext(made[0]), "."); ext != "" && !strings.ContainsRune(ext, page.RefOpen) &&
			plain.Letters(ext) == len(ext) {
			return "make " + intent.Article(ext) + " file with " + shown
		}
		return "make a file with " + shown
	}
	return "run " + shown
}

// controlWish turns a button's label into a request: "Create ticket" asks to create a ticket. A label without an object
// takes it from the page's heading; a label without a known verb gives "".
func controlWish(st *Step) string {
	label := st.Label()
	if label == "" || len(label) > 60 {
		return ""
	}
	c, ok := intent.ReadClause(label)
	if !ok {
		return ""
	}
	if c.Object == "" && c.Rest == "" {
		return headingWish(st, c.Verb)
	}
	if ws := strings.Fields(c.Object); intent.CreatingVerbs.Has(c.Verb) && len(ws) > 0 && intent.Singular(intent.LastWord(c.Object)) == "" &&
		!intent.StopWords.Has(strings.ToLower(ws[0])) {
		c.Object = intent.Article(plain.LowerFirst(c.Object))
	} else {
		c.Object = plain.LowerFirst(c.Object)
	}
	return c.String()
}

// headingWish handles "Save" below the heading "Notification settings": save notification settings. A heading that is a
// request itself ("Edit profile") is used alone.
func headingWish(st *Step, verb string) string {
	if st.Before == nil || len(st.Before.Headings) == 0 {
		return ""
	}
	heading := page.Clean(st.Before.Headings[0])
	if heading == "" || strings.ContainsAny(heading, "{}") || len(heading) > 60 {
		return ""
	}
	if _, ok := intent.ReadClause(heading); ok {
		return heading
	}
	return verb + " " + plain.LowerFirst(heading)
}
