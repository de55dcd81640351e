package danger

import (
	"slices"
	"strings"
)

// Roles that hold or show something; filling them in or choosing in them sends nothing by itself.
var quiet = set("textbox searchbox combobox listbox option spinbutton slider tab columnheader rowheader treeitem row cell gridcell heading tooltip img scrollbar progressbar document article")

// Control says what using a control does, by its role, its words and the method of the form it belongs to ("" when it
// belongs to none: get, post, dialog). Words of about twenty languages are known.
func Control(role, name, formMethod string) Finding {
	role, formMethod = strings.ToLower(role), strings.ToLower(formMethod)
	if quiet[role] {
		return finding(Reads, "it is filled in or chosen")
	}
	f, spoke := phrase(name)
	switch {
	case (role == "checkbox" || role == "radio" || role == "switch" || role == "menuitemcheckbox" || role == "menuitemradio") && !f.Grave():
		if formMethod != "" && role != "switch" {
			return finding(Reads, "it is filled in or chosen")
		}
		return finding(Unknown, "what switching it does is not known")
	case spoke && f.Class == Reads && formMethod == "post":
		return finding(Writes, "it sends a form")
	case spoke:
		return f
	case formMethod == "get", formMethod == "dialog":
		return finding(Reads, "its form only asks")
	case formMethod == "post":
		return finding(Writes, "it sends a form")
	case role == "link":
		return finding(Reads, "a link opens a page")
	}
	return finding(Unknown, "what it does is not known")
}

// phrase is what a control's words promise; false when none of them is known. The gravest phrase counts, except that a longer
// phrase wins over a shorter one at its place ("clear filters" is no "clear"), and that a word which takes a deed back
// ("Don't delete", "Undo delete") makes it harmless.
func phrase(name string) (Finding, bool) {
	hits := slices.Concat(spaced(tokens(name)), unspaced(name))
	if len(hits) == 0 {
		return Finding{}, false
	}
	var out Finding
	for _, h := range hits {
		out = out.and(finding(h.class, why(h)))
	}
	return out, true
}

func why(h said) string {
	switch {
	case h.leaves:
		return "its words end the session"
	case h.class == Destroys:
		return "its words delete or end something"
	case h.class == Sends:
		return "its words send something or commit to it"
	case h.class == Writes:
		return "its words change something"
	}
	return "its words only show something"
}

// spaced finds the known phrases in words. A long text is a sentence or a title, not a button's label: only its beginning
// can be an order then.
func spaced(ws []string) []said {
	var hits []said
	for at := 0; at < len(ws); {
		e, n := longest(ws, at)
		if n == 0 {
			at++
			continue
		}
		if e.never && len(ws) > at+1 && later(ws[at+n:], e.lang) {
			return []said{{at: at, words: n, class: Writes, phrase: ws[at]}}
		}
		if !e.never && counts(e, ws, at, n) {
			hits = append(hits, said{at: at, words: n, class: e.class, leaves: e.leaves, phrase: ws[at]})
		}
		at += n
	}
	return hits
}

func later(ws []string, lang *wording) bool {
	for at := range ws {
		if e, n := longest(ws, at); n > 0 && e.lang == lang && e.class >= Sends {
			return true
		}
	}
	return false
}

// longest is the longest phrase that begins at a word; among equals the gravest, since a word may mean more in another language.
func longest(ws []string, at int) (entry, int) {
	var best entry
	n := 0
	for _, e := range byFirst[ws[at]] {
		if at+len(e.words) > len(ws) || !slices.Equal(e.words, ws[at:at+len(e.words)]) {
			continue
		}
		if len(e.words) > n || len(e.words) == n && e.class > best.class {
			best, n = e, len(e.words)
		}
	}
	return best, n
}

// English words that are as often a thing as an order: an order only as the first word, and not before another such thing.
var (
	alsoNouns = set("order post share place book transfer deposit message email e-mail call bid charge release launch trash drop void block page new copy set star link mark store run start stop like vote rate yes ok done apply add change update upgrade import lock pin update")
	thingsOf  = set("details detail history number no id date dates status list lists summary price title type items item line lines by name total amount value count code form page overview settings office of info information management report reports preview tracking address method methods template templates type archive categories category author tags")
)

// counts tells an order from a mention: "Delete order" orders, "Recently deleted items" and "How to delete a file" do not.
func counts(e entry, ws []string, at, n int) bool {
	if e.lang.verbLast {
		return len(ws) <= 8 || at == 0 || at+n == len(ws)
	}
	if n > 1 {
		return len(ws) <= 8 || at == 0
	}
	lead := at
	for lead > 0 && set("yes please now permanently really ok confirm and & then also i want to save finally")[ws[lead-1]] {
		lead--
	}
	if at+n < len(ws) && thingsOf[ws[at+n]] && alsoNouns[ws[at]] {
		return false
	}
	if lead > 0 {
		return !alsoNouns[ws[at]] && len(ws) <= 5 && e.class >= Sends && !set("how why when what to the a an recently last about")[ws[at-1]]
	}
	return true
}

// unspaced finds the phrases of languages written without blanks.
func unspaced(name string) []said {
	ascii := strings.IndexFunc(name, func(r rune) bool { return r >= 0x1100 }) < 0
	if ascii {
		return nil
	}
	rest := strings.ToLower(name)
	var hits []said
	sorted := slices.Clone(within)
	slices.SortStableFunc(sorted, func(a, b entry) int { return len(b.words[0]) - len(a.words[0]) })
	for _, e := range sorted { // longest first: what was matched is taken out
		if !strings.Contains(rest, e.words[0]) {
			continue
		}
		if e.never {
			return []said{{class: Writes}}
		}
		rest = strings.ReplaceAll(rest, e.words[0], "\x00")
		hits = append(hits, said{class: e.class, leaves: e.leaves})
	}
	return hits
}
