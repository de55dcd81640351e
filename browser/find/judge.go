package find

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"showhow/capture"
	"showhow/internal/lazyre"
)

// Evidence is weighed in points. What a control is called weighs most, then where it stands; names
// given by programmers support; document position hardly counts. The numbers are chosen so that
//
//   - the right words in the right role are enough when nothing else comes close (enough, margin);
//   - other words for the same thing need one more reason: the place, a test id, the type of field;
//   - words that are only similar, or incomplete, need two;
//   - without matching words, three reasons have to agree;
//   - a control with the exact words does not win over one with a synonym by its words alone: the first
//     may be new and the second renamed.
const (
	enough     = 50 // points that make a candidate certain
	enoughBy   = 40 // ... without words, or when they have changed altogether
	margin     = 15 // points by which it must be ahead of the next
	sameRole   = 10
	kinRole    = 4
	twoReasons = 6  // least evidence beside words, role and place where the words are not the same
	rowOwn     = 26 // it is in the row of the key
	rowSaid    = 22 // ... of which some cell says the key
	rowAround  = 16
	testID     = 16
	writtenID  = 12
	sentName   = 10 // its form sends it under the same name
	onlyWay    = 20 // the recorded path, where a recording made elsewhere says nothing else and nothing speaks against it
	soleOne    = 12 // the only one of its role in the place where the target, which has no name, was the only one
	soleBare   = 16 // the only one without a name among those of its role there, in the same number and on the same path
	drawnAlike = 16 // an icon without a name that is drawn as the target was
	sameSign   = 20 // its name is a sign, like an arrow, and the same
	sameSpot   = 16 // ... and one that stands where it stood among as many icons of its row
	namesEntry = 12 // an entry of a list that says the value of an input among other words, "Ann Lee, Sales", as no other does
	oneOfMany  = 18 // less where several went by that name, each in its place: this is another one of them
)

var wordPoints = map[grade]int{exact: 50, same: 48, synonym: 36, related: 20, counted: 22, partly: 20, unrelated: 0}

var placePoints = map[placeFit]int{noPlace: 0, elsewhere: -8, under: -2, unheaded: 0, reheaded: 8, free: 10, renamed: 10, around: 12,
	inPlace: 14}

// weigh scores a candidate; false means that it cannot be the target.
func (c *candidate) weigh(w Want) bool {
	t := w.Target
	fit := roleFit(t.Role, c.Role)
	if fit == 0 || !c.fit(w) || typeFit(t.InputType, c.Type) < 0 && t.InputType != "" && fieldRoles[c.Role] {
		return false
	}
	if fit == 1 && t.Role != "generic" && t.Name != "" && !says(t.Name) {
		return false // what is called anything is at least of its role
	}
	if ofPopup(t) && !c.Over && namesake(t) {
		return false // the same words outside of the popup, which may be closed
	}
	if c.words = c.wording(t); c.words == conflict {
		if len(t.Options) < 2 || optionFit(t.Options, c.Options) < 0.8 {
			return false
		}
		c.words = unrelated // the same choices under another name
	}
	if c.words == counted && t.Given {
		return false // another number is another thing
	}
	if c.Told {
		c.words = max(c.words, same)
	}
	row, ok := c.rowPoints(w)
	if !ok || c.inOtherColumn(t) {
		return false
	}
	c.place = c.fitPlace(t)
	c.apart = c.purpose(t) + c.support(t)
	c.backing = row + placePoints[c.place] + c.apart
	if (c.place == elsewhere || c.place == unheaded) && t.Landmark != nil && matches(t) != 1 {
		c.backing -= oneOfMany
	}
	c.score = wordPoints[c.words] + c.backing + kinRole
	if fit == 2 {
		c.score += sameRole - kinRole
	}
	if c.entry = t.Given && (c.Role == "option" || c.Role == "link") && c.words < same && c.mentions(called(t)); c.entry {
		c.words = max(c.words, partly)
		c.score += namesEntry
	}
	if c.Disabled {
		c.score -= 2
	}
	return true
}

// wording compares the names of target and candidate. The accessible name counts most; any other
// text that both carry may stand in for it.
func (c *candidate) wording(t capture.Target) grade {
	wanted := called(t)
	if wanted == "" {
		return unrelated
	}
	best := conflict
	if c.called() == "" {
		best = unrelated
	}
	for i, have := range []string{c.Name, c.Label, c.Text, c.Title, c.Alt, c.Placeholder} {
		if have == "" {
			continue
		}
		g := compare(wanted, have)
		if i > 1 && g == conflict {
			continue
		}
		if g == conflict && best == conflict {
			continue
		}
		best = max(best, g)
	}
	return best
}

// called is the text by which a target is known; "" if none of its texts means anything.
func called(t capture.Target) string {
	for _, s := range []string{t.Name, t.Label, t.Text, t.Located("title"), t.Located("alt"), t.Placeholder} {
		if says(s) {
			return s
		}
	}
	return ""
}

func (c *candidate) called() string {
	return cmp.Or(c.Name, c.Label, c.Text, c.Title, c.Alt, c.Placeholder)
}

// rowPoints requires the candidate of a target in a row to be in that row.
func (c *candidate) rowPoints(w Want) (int, bool) {
	key, ok := rowKey(w.Target)
	if !ok || !says(key) {
		return 0, true
	}
	if p := pattern(key); p != nil {
		return rowSaid, p.MatchString(plain(c.Item))
	}
	switch c.Row {
	case 4:
		return rowOwn, true
	case 3, 2:
		return rowSaid, true
	case 1:
		return rowAround, true
	case -1:
		return 0, false
	}
	return rowAround, compare(key, c.Item) >= synonym // rows of a form are called by its labels
}

// inOtherColumn reports whether a candidate for something in a table's row, which the head of its column tells from others of that row,
// stands in another column.
func (c *candidate) inOtherColumn(t capture.Target) bool {
	return ofRow(t) && !fieldRoles[t.Role] && says(t.Placeholder) && says(c.Placeholder) && compare(t.Placeholder, c.Placeholder) <= unrelated
}

// purpose scores what a control is for: the type of field, its choices, its link target.
func (c *candidate) purpose(t capture.Target) (n int) {
	if typeFit(t.InputType, c.Type) > 0 && fieldRoles[c.Role] {
		n += 6
	}
	switch f := optionFit(t.Options, c.Options); {
	case f >= 0.8:
		n += 16
	case f >= 0.4:
		n += 10
	case f >= 0 && f < 0.2 && c.Role != "checkbox": // a checkbox lists its neighbours, not itself
		n -= 12
	}
	switch hrefFit(t.Href, c.Href) {
	case 2:
		n += 16
	case 1:
		n += 8
	case -1:
		n -= 4
	}
	if t.Placeholder != "" && t.Placeholder != called(t) && compare(t.Placeholder, c.Placeholder) >= same {
		n += 12
	}
	if t.Text != "" && t.Text != called(t) && compare(t.Text, c.Text) >= same {
		n += 6
	}
	for _, by := range []string{"title", "alt"} {
		if v := t.Located(by); v != "" && v != called(t) && (compare(v, c.Title) >= same || compare(v, c.Alt) >= same) {
			n += 10
		}
	}
	if v := t.Located("spot"); v != "" && v == c.Spot {
		n += sameSpot
	}
	switch v := t.Located("beside"); {
	case v == "" || c.Beside == "":
	case compare(v, c.Beside) >= same:
		n += sameSpot
	default:
		n -= sameSpot / 2
	}
	switch v := t.Located("drawn"); {
	case v == "" || c.Drawn == "":
	case v == c.Drawn && (countOf(t, "drawn") > 1 || c.Item != "" && !ofRow(t)): // it was one of several, or this belongs to a thing
	case v == c.Drawn:
		n += drawnAlike
	default:
		n -= drawnAlike / 2 // a state may be drawn, too
	}
	return n
}

// support scores programmers' names and the position in the document.
func (c *candidate) support(t capture.Target) (n int) {
	if c.IDs == 1 {
		n += testID
	}
	if sign := strings.TrimSpace(cmp.Or(t.Name, t.Text)); sign != "" && called(t) == "" {
		switch have := strings.TrimSpace(cmp.Or(c.Name, c.Text)); {
		case have == sign:
			n += sameSign
		case have != "" && !says(have):
			n -= sameSign / 2
		}
	}
	c.byID = c.CSS == 1 && written(t.Located("css"))
	switch {
	case uncounted(t) && called(t) == "" && c.CSS == 1 && (c.byID && t.Role != "" || t.Tag != "" && c.called() == "") &&
		(t.Tag == "" || t.Tag == c.Tag):
		n += onlyWay
	case c.byID:
		n += writtenID
	case c.CSS == 1:
		n += 2
	}
	switch {
	case strings.ContainsAny(t.Located("sent"), digits): // it may be the number of a line, which moves, or of nothing
	case c.Sent == "same" && t.Tag == c.Tag:
		n += sentName
	case c.Sent == "other":
		n -= sentName
	}
	if (c.byID || c.IDs == 1) && t.Tag == c.Tag && (t.InputType == "" || t.InputType == c.Type) {
		n += 4
	}
	if c.doc != nil && (t.Frame == "") != (c.doc.Frame == "") {
		n -= 8
	} else if t.Frame != "" && called(t) != "" && compare(t.Frame, c.doc.Frame) >= same { // all that is in a frame has that
		n += 6
	}
	return n
}

// written reports whether a CSS path consists of an id alone.
func written(css string) bool {
	return len(css) > 1 && css[0] == '#' && !slices.Contains([]byte(css), ' ') && !slices.Contains([]byte(css), '>')
}

// judge picks the only candidate that is certain.
func judge(w Want, all []*candidate) (*candidate, *NotFound) {
	var fits []*candidate
	for _, c := range all {
		if c.weigh(w) {
			fits = append(fits, c)
		}
	}
	preferPopup(w.Target, fits) // first: the whole popup may be called by its first entry
	fits = outer(nearestRow(fits), all)
	soleOfKind(fits)
	soleThere(w.Target, fits)
	slices.SortStableFunc(fits, func(a, b *candidate) int { return cmp.Compare(b.score, a.score) })
	if len(fits) == 0 {
		return nil, notFound(Missing, w, nearest(all))
	}
	if slices.ContainsFunc(fits, func(c *candidate) bool { return !c.Blocked && c.certain(w.Target) }) {
		fits = slices.DeleteFunc(fits, func(c *candidate) bool { return c.Blocked && c.words < same })
		for _, c := range fits {
			if c.Blocked { // a dialog is in front of it
				c.score -= margin
			}
		}
		slices.SortStableFunc(fits, func(a, b *candidate) int { return cmp.Compare(b.score, a.score) })
	}
	best := fits[0]
	if !best.certain(w.Target) {
		return nil, notFound(Missing, w, fits)
	}
	for _, c := range fits[1:] {
		if best.score-c.score >= margin || best.ownKind(c, w.Target) || best.ownWords(c, w.Target) {
			continue
		}
		if !best.sameDeed(c) {
			return nil, notFound(Ambiguous, w, fits)
		}
		best.twins = append(best.twins, c)
	}
	if best.oneOfSeveral(w.Target, fits) || best.impostor(w.Target, all) || best.counted(w.Target, fits) ||
		slices.ContainsFunc(fits, func(c *candidate) bool { return best.usurps(c) }) {
		return nil, notFound(Ambiguous, w, fits)
	}
	return best, nil
}

// sameDeed reports whether pressing c or o sends the same request, so that it does not matter which of them is pressed:
// for example the submit button above a long form and the one below it. Whether a script listens is for Find to ask.
func (c *candidate) sameDeed(o *candidate) bool {
	return c.Sends != "" && c.Sends == o.Sends && c.doc == o.doc && c.Role == o.Role && plain(c.called()) == plain(o.called())
}

// ownKind reports whether c is of the target's role and o only of a related one, with nothing else to tell them apart: where the recorder
// counted one control of that role and name, a link that is called like the button is another thing.
func (c *candidate) ownKind(o *candidate, t capture.Target) bool {
	alone := matches(t) == 1 || ofRow(t) && c.Item != "" && c.Item == o.Item // the box that a row's button stands for
	return c.words >= same && o.words == c.words && c.Role == t.Role && o.Role != t.Role && alone && c.place >= o.place && c.apart >= o.apart
}

// ownWords reports whether c says in a second text what the target said, and nothing else said when it was recorded, and o does not, where
// nothing else tells the two apart.
func (c *candidate) ownWords(o *candidate, t capture.Target) bool {
	if c.words < same || o.words != c.words || c.Role != t.Role || c.place < o.place || c.apart < o.apart {
		return false
	}
	return slices.ContainsFunc([]string{"title", "alt"}, func(by string) bool {
		v := t.Located(by)
		has := func(x *candidate) bool { return compare(v, x.Title) >= same || compare(v, x.Alt) >= same }
		return says(v) && v != called(t) && countOf(t, by) < 2 && has(c) && !has(o)
	})
}

// usurps reports whether c has the right name but stands elsewhere, while a control of the same
// kind with an unknown name stands where the target stood: that one may be the target, renamed.
// Only a programmer's name speaks for c then.
func (c *candidate) usurps(o *candidate) bool {
	moved := c.place == elsewhere || c.place == unheaded
	return c != o && moved && c.IDs != 1 && !c.byID && o.place >= free && o.words == unrelated && o.Role == c.Role && o.Type == c.Type
}

// certain reports whether the evidence for c is enough regardless of the other candidates.
func (c *candidate) certain(t capture.Target) bool {
	wanted := called(t) != ""
	switch {
	case !wanted:
		return c.score >= enoughBy-sameRole && c.backing >= 18
	case c.words >= same:
		// If several controls had that name, the name alone is not enough.
		return c.score >= enough && (c.backing > 0 || matches(t) == 1 || t.Landmark == nil)
	case c.words == synonym, c.entry:
		return c.score >= enough
	case c.words == unrelated:
		return !t.Given && c.score >= enoughBy && c.backing >= 28 && c.apart >= twoReasons && c.identified(t)
	}
	return c.score >= enough && c.apart >= twoReasons // a place holds many things
}

// identified reports whether something besides its name and place identifies c as the target: a
// programmer's name, its link target, or its choices. Among several controls side by side the
// visible name is the identity; only a programmer's name or a link target outweighs it. An id that
// ends in a counter only says where a control stands.
func (c *candidate) identified(t capture.Target) bool {
	if c.byID && !counts(t.Located("css")) || c.IDs == 1 && !counts(t.Located("testid")) || hrefFit(t.Href, c.Href) == 2 {
		return true
	}
	if chosen[c.Role] {
		return false
	}
	if optionFit(t.Options, c.Options) >= 0.8 {
		return true
	}
	for _, both := range [][2]string{{t.Label, c.Label}, {t.Text, c.Text}, {t.Placeholder, c.Placeholder}, {t.Located("title"), c.Title},
		{t.Located("alt"), c.Alt}} {
		if says(both[0]) && compare(both[0], both[1]) >= same {
			return true
		}
	}
	return false
}

// counts reports whether a programmer's name ends in a number, as generated names of repeated
// controls do.
func counts(name string) bool {
	return name != "" && name[len(name)-1] >= '0' && name[len(name)-1] <= '9'
}

const digits = "0123456789"

// chosen are the roles of controls that stand among others of their kind.
var chosen = setOf("radio checkbox switch option tab menuitem menuitemradio menuitemcheckbox treeitem cell gridcell")

// oneOfSeveral reports whether c says the wanted name among other words, such as a state, and another control in as good a place does,
// too: the number of words around a name does not tell two controls apart.
func (c *candidate) oneOfSeveral(t capture.Target, fits []*candidate) bool {
	wanted := called(t)
	return c.words < counted && c.mentions(wanted) && slices.ContainsFunc(fits, func(o *candidate) bool {
		return o != c && o.Role == c.Role && o.place >= c.place && o.mentions(wanted)
	})
}

// counted reports whether a path that counts is all that tells c from another one like it.
func (c *candidate) counted(t capture.Target, fits []*candidate) bool {
	return called(t) == "" && uncounted(t) && c.IDs != 1 && c.called() == "" && strings.Contains(t.Located("css"), ":") &&
		slices.ContainsFunc(fits, func(o *candidate) bool {
			return o != c && o.doc == c.doc && o.Role == c.Role && o.Tag == c.Tag && o.called() == ""
		})
}

func (c *candidate) mentions(wording string) bool {
	wanted := " " + plain(wording) + " "
	return strings.TrimSpace(wanted) != "" && slices.ContainsFunc([]string{c.Name, c.Label, c.Text}, func(have string) bool {
		return strings.Contains(" "+plain(have)+" ", wanted)
	})
}

// impostor reports whether c would be the target renamed while another control still has the
// target's name.
func (c *candidate) impostor(t capture.Target, all []*candidate) bool {
	return c.words == unrelated && called(t) != "" && slices.ContainsFunc(all, func(o *candidate) bool {
		return o != c && roleFit(t.Role, o.Role) > 0 && o.wording(t) >= same
	})
}

// ofPopup reports whether a target stood in a popup, such as an open menu.
func ofPopup(t capture.Target) bool { return t.Located("over") != "" }

// namesake reports whether something outside of the target's popup said the same words when it was recorded. Where nobody counted, a text
// is assumed to have one.
func namesake(t capture.Target) bool {
	n := max(matches(t), countOf(t, "over"))
	return n > 1 || n == 0 && t.Role == "generic"
}

// preferPopup puts what is in a popup, as the target was, before what has its name and is not.
func preferPopup(t capture.Target, fits []*candidate) {
	called := func(c *candidate) bool { return c.Over && c.words >= same && c.Role == t.Role }
	if !ofPopup(t) || !slices.ContainsFunc(fits, called) {
		return
	}
	for _, c := range fits {
		if !c.Over {
			c.score -= margin
		}
	}
}

// soleOfKind credits the only file, email or telephone field in the expected place: its type says
// what it is for.
func soleOfKind(fits []*candidate) {
	for _, c := range fits {
		if !tellingTypes[c.Type] || c.place != inPlace {
			continue
		}
		sole := !slices.ContainsFunc(fits, func(o *candidate) bool { return o != c && o.Type == c.Type && o.place == inPlace })
		if sole {
			c.score += 12
			c.backing += 12
		}
	}
}

// soleThere credits an unnamed control that was the only one of its role in its place, if it still
// is. A field to write in is also known among fields that all have a name, by its number and its path: two icons
// without a name could stand for each other there, a field holds what is written either way.
func soleThere(t capture.Target, fits []*candidate) {
	i := slices.IndexFunc(t.Locators, func(l capture.Locator) bool { return l.By == "structure" && l.Matches == 1 })
	if called(t) != "" || t.Role == "generic" || i < 0 {
		return
	}
	if t.Landmark == nil || t.Landmark.Role == "heading" {
		solePage(t, fits)
		return
	}
	if t.Landmark.Name == "" {
		return
	}
	var there []*candidate
	for _, c := range fits {
		if c.Role == t.Role && (c.place == inPlace || c.place == around) {
			there = append(there, c)
		}
	}
	nth := numbered.FindStringSubmatch(t.Locators[i].Value)
	var sole *candidate
	points := soleOne
	switch {
	case nth == nil && len(there) == 1:
		sole = there[0]
	case nth != nil && writable[t.Role]:
		slices.SortFunc(there, func(a, b *candidate) int { return cmp.Compare(a.I, b.I) }) // as they stand in the page
		unnamed := func(c *candidate) bool { return !says(c.called()) }
		n := slices.IndexFunc(there, unnamed)
		if n < 0 || strconv.Itoa(n+1) != nth[1] || there[n].CSS != 1 || slices.ContainsFunc(there[n+1:], unnamed) {
			return
		}
		sole, points = there[n], soleBare
	}
	if sole != nil && !says(sole.called()) {
		sole.score += points
		sole.backing += points
	}
}

// solePage credits a field to write in that nothing on its page called anything, and no place had a name for: if it was the only such
// field of the page and still is, and stands where it stood, or has the focus, as a field has that opens to be written in; or where an item
// has its text, if the recorded one stood so: it may be another item.
func solePage(t capture.Target, fits []*candidate) {
	var bare []*candidate
	for _, c := range fits {
		if writable[t.Role] && c.Role == t.Role && !says(c.called()) {
			bare = append(bare, c)
		}
	}
	ofItem := strings.HasPrefix(t.Located("structure"), "item > ")
	if len(bare) == 1 && (bare[0].CSS == 1 || bare[0].Focused || ofItem && bare[0].InItemText) && bare[0].Tag == t.Tag {
		bare[0].score += soleBare
		bare[0].backing += soleBare
	}
}

// writable are the roles of fields that one writes in.
var writable = setOf("textbox searchbox spinbutton")

// numbered is the end of a structure locator that counts several of a role.
var numbered = lazyre.New(`\[(\d+)\]$`)

var tellingTypes = setOf("file email tel search")

// matches is how many elements shared the target's role and name at recording time; 0 if not
// counted.
func matches(t capture.Target) int {
	for _, by := range []string{"role", "label", "text"} {
		if t.Located(by) != "" {
			return countOf(t, by)
		}
	}
	return 0
}

// countOf is how many elements one of the target's locators matched; 0 if there is none, or nobody counted.
func countOf(t capture.Target, by string) int {
	i := slices.IndexFunc(t.Locators, func(l capture.Locator) bool { return l.By == by })
	if i < 0 {
		return 0
	}
	return t.Locators[i].Matches
}

// uncounted reports whether the target was recorded elsewhere, without its place or the number of
// similar elements.
func uncounted(t capture.Target) bool {
	return t.Landmark == nil && len(t.Locators) > 0 && !slices.ContainsFunc(t.Locators, func(l capture.Locator) bool { return l.Matches > 0 })
}

// nearestRow drops rows that only mention the key if a row that has it as its own is present.
func nearestRow(all []*candidate) []*candidate {
	best := 0
	for _, c := range all {
		best = max(best, c.Row)
	}
	if best == 0 {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(c *candidate) bool { return c.Row < best })
}

// nearest lists candidates for the error message when none fits, the same role first.
func nearest(all []*candidate) []*candidate {
	return all[:min(len(all), shownAtMost)]
}

const shownAtMost = 5

func notFound(reason string, w Want, near []*candidate) *NotFound {
	n := &NotFound{Reason: reason, Wanted: describe(w.Target)}
	for _, c := range near {
		if len(n.Seen) == shownAtMost {
			break
		}
		if s := c.String(); !slices.Contains(n.Seen, s) {
			n.Seen = append(n.Seen, s)
		}
	}
	return n
}
