package compile

import (
	"cmp"
	"path"
	"strings"

	"showhow/capture"
	"showhow/internal/plain"
)

// wish is what somebody would ask for who wants this step's effect, without its values: a title when nobody gave one.
func wish(st *step, n *names) string {
	switch {
	case st.file != "" && st.Verb == capture.Download:
		return "download the " + cmp.Or(strings.ToUpper(strings.TrimPrefix(extOf(st.act.file), ".")), "the file") + " file"
	case st.act.command != nil:
		return commandWish(st)
	}
	if w := controlWish(st); w != "" {
		return w
	}
	return phrase(st, n, false)
}

// commandWish is a command by its program and what it makes: "make a gz file with tar", "commit with git".
func commandWish(st *step) string {
	l := readLine(st.act.command)
	shown := l.shown(st.program)
	if program, sub, ok := strings.Cut(shown, " "); ok {
		return strings.ReplaceAll(sub, "-", " ") + " with " + program
	}
	made := l.makes()
	made = append(made, newFiles(st.act)...)
	if len(made) > 0 {
		if strings.Contains(made[0], ".tar.") {
			return "make an archive with " + shown
		}
		if ext := strings.TrimPrefix(path.Ext(made[0]), "."); ext != "" && !strings.ContainsRune(ext, refOpen) && plain.Letters(ext) == len(ext) {
			return "make " + article(ext) + " file with " + shown
		}
		return "make a file with " + shown
	}
	return "run " + shown
}

// controlWish is a button's promise as a wish: "Create ticket" asks to create a ticket. A button that says only what it does
// takes its object from the page's heading; one that promises nothing known gives "".
func controlWish(st *step) string {
	label := st.label()
	if label == "" || len(label) > 60 {
		return ""
	}
	c, ok := readClause(label)
	if !ok {
		return ""
	}
	if c.object == "" && c.rest == "" {
		return headingWish(st, c.verb)
	}
	if ws := strings.Fields(c.object); makesNew[c.verb] && len(ws) > 0 && singular(lastWord(c.object)) == "" && !stopWords[strings.ToLower(ws[0])] {
		c.object = article(plain.LowerFirst(c.object))
	} else {
		c.object = plain.LowerFirst(c.object)
	}
	return c.String()
}

// headingWish is for "Save" below the heading "Notification settings": save notification settings. A heading that is a wish
// itself ("Edit profile") is the better one.
func headingWish(st *step, verb string) string {
	if st.Before == nil || len(st.Before.Headings) == 0 {
		return ""
	}
	heading := clean(st.Before.Headings[0])
	if heading == "" || strings.ContainsAny(heading, "{}") || len(heading) > 60 {
		return ""
	}
	if _, ok := readClause(heading); ok {
		return heading
	}
	return verb + " " + plain.LowerFirst(heading)
}
