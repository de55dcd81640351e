package prose

import (
	"strings"
	"sync"

	"showhow/daemon/skill/scan/source"
	"showhow/internal/lazyre"
)

// barePlace is an address as people write it: a host of a usual ending without a scheme, a mailbox, a handle, a number.
var barePlace = lazyre.New(`(?:https?://)?(?:[\w-]+\.)+(?:` + endings + `)\b(?:/[^\s,;)]*)?|[\w.+-]+@(?:[\w-]+\.)+\w+|\s@\w{4,` +
	`}|\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b`)

// endings are those that hosts usually have.
const endings = "com|net|org|info|app|dev|io|co|cloud|top|xyz|site|online|me|cc|ru|cn|eu|biz|ai|tech|live|store|host|space|website|link|" +
	"click|page|pw|su|to|gg|example|test"

var ending = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for e := range strings.SplitSeq(endings, "|") {
		m[e] = true
	}
	return m
})

// hasPlace: barePlace can match. Most dots in a text end no host's name, and this costs less than to try.
func hasPlace(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] == '@' {
			return true
		}
		if s[i] != '.' || i == 0 || !wordByte[s[i-1]] {
			continue
		}
		j := i + 1
		for j < len(s) && s[j] >= 'a' && s[j] <= 'z' {
			j++
		}
		if j == i+1 && j < len(s) && s[j] >= '0' && s[j] <= '9' && s[i-1] >= '0' && s[i-1] <= '9' || ending()[s[i+1:j]] {
			return true
		}
	}
	return false
}

// said: what follows is the end of a way, as people say it.
var said = source.Wording("place.said")

// addressesNamed says what addresses a sentence names that the skill's name and description do not.
func addressesNamed(s string, about string) (k Kind) {
	dot := strings.IndexByte(s, '.')
	if (dot < 0 || dot >= len(s)-1) && strings.IndexByte(s, '@') < 0 {
		return 0
	}
	if len(strings.Fields(Unaddressed(s))) < 2 && strings.Count(s, "://") == 0 {
		return 0 // a value, of which nothing is said
	}
	if !hasPlace(s) {
		return 0
	}
	for _, at := range barePlace.FindAllStringIndex(s, 6) {
		m := s[at[0]:at[1]]
		if pointsAt(s[:at[0]]) || strings.HasSuffix(s[:at[0]], ".") || strings.HasSuffix(s[:at[0]], "/") {
			continue // a link, or the end of a file's name
		}
		if m[0] == ' ' && !addressee.MatchString(s[:at[0]]) {
			continue // a tag: an account is named where something is said to be for it
		}
		host := m
		mail := strings.Contains(m, "@")
		if i := strings.LastIndexByte(host, '@'); i >= 0 {
			host = host[i+1:]
		}
		host = strings.TrimPrefix(strings.TrimPrefix(host, "https://"), "http://")
		host, _, _ = strings.Cut(host, "/")
		if !mail && (source.TrustedHost(host) || source.Local(host)) || source.DeclaredHost(host, about) {
			if mail && !byWhom.MatchString(s[:at[0]]) {
				k |= kHomebox
			}
			if !mail && strings.Contains(m, "://") && !source.TrustedHost(host) && !source.Local(host) {
				k |= kOwnHost
			}
			continue
		}
		if !mail && !strings.Contains(m, "://") && member.MatchString(s[:at[0]]) {
			continue // a value of a program
		}
		if mail && release.MatchString(host) || mail && person.MatchString(s) {
			continue // a package with its version; who somebody is
		}
		if mail && byWhom.MatchString(s[:at[0]]) {
			continue // who made or sent something
		}
		k |= kAddress
		if mail || !got.MatchString(clause(s[:at[0]])) && reached(s[:at[0]]) {
			k |= kTaker
		}
		if mail {
			k |= kMailbox
		}
		if !derived.MatchString(s[:at[0]]) && (mail || !strings.Contains(m, "://") && said.MatchString(s[:at[0]])) &&
			strings.Count(s[:at[0]], "`")%2 == 0 {
			k |= kBare
		}
	}
	return k
}

var (
	derived = lazyre.New(`(?:\b\w+ed |\()from\s*$|=\s*["'\x60]?$`) // where something was taken from, or a value
	member  = lazyre.New(`[\w\])]\s*[=!<>]?=\s*$`)
	release = lazyre.New(`^v?\d+(?:\.\d+)*\.\w+$`)
	byWhom  = lazyre.New(`\b(?:by|from)\s*[<(]?$`)
	person  = lazyre.New(`^\W*[\pL .'-]{2,60}<[^<>\s]+@[^<>\s]+>\W*$`)

	// addressee: what follows is whom something is for.
	addressee = source.Wording("place.addressee")
	// labelled is a mailbox with the name of its field: it says whose it is, and not that anything is mailed.
	labelled = lazyre.New(`\be?-?mail(?: address(?:es)?)?(?: \w+)?["'\x60]?\s*(?::(?:\w+:)?|=+)\s*(["'\x60<]*[\w.+-]+@)`)
	// field is a name with the value that it has, both written out.
	field = lazyre.New(`["'][\w.-]+["']\s*:\s*("[^"\n]*"|'[^'\n]*'|[\d.]+|true|false|null)`)

	// got: the address that follows is where one gets or reads something, or signs in; nothing goes there.
	got = source.Wording("place.got")
)

// unlabelled is a text without the names of fields whose values stand beside them: such a name is no deed, and names nothing of the user's.
// A value that asks for something stays under its name.
func unlabelled(s string) string {
	if strings.IndexByte(s, '@') >= 0 && strings.Contains(s, "mail") {
		s = labelled.ReplaceAllString(s, ", $1")
	}
	if strings.Contains(s, "\":") || strings.Contains(s, "':") {
		s = field.ReplaceAllStringFunc(s, func(m string) string {
			name, value, _ := strings.Cut(m, ":")
			if words().all(Stems(value), 0)&(deeds|kHush|kUnasked|kBlanket) != 0 {
				return name + ":" + value
			}
			return ", " + value
		})
	}
	return s
}

// reached: what stands before an address says that something goes there: a preposition of direction, a colon, or what is sent.
func reached(before string) bool { return direction.MatchString(before) }

var direction = source.Wording("place.direction")

// clause is what stands before an address in its own clause.
func clause(before string) string {
	if i := strings.LastIndexAny(before, ".;!?"); i >= 0 {
		before = before[i+1:]
	}
	if i := strings.LastIndex(before, " and "); i >= 0 {
		before = before[i+1:]
	}
	return before
}

// unlinked is a sentence without the addresses behind a link's words, which are there to be read on; unless the words are where something
// is to go.
func unlinked(s string) string {
	if !strings.Contains(s, "](http") {
		return s
	}
	at := 0
	var b strings.Builder
	for _, m := range linkedTo.FindAllStringIndex(s, 60) {
		if pointsAt(s[:m[0]+2]) && !hither.MatchString(s[:m[0]]) {
			b.WriteString(s[at : m[0]+1])
			at = m[1]
		}
	}
	return b.String() + s[at:]
}

var (
	linkedTo = lazyre.New(`\]\(https?://[^)\s]*\)`)
	hither   = source.Wording("place.hither")
)

// pointsAt: the address that follows is where a link's words lead, which is to be read; unless the words are where something
// is to go.
func pointsAt(before string) bool {
	if i := strings.LastIndexByte(before, '\n'); i >= 0 {
		before = before[i:]
	}
	switch {
	case strings.HasSuffix(before, "]: "), strings.HasSuffix(before, "]:"):
		return true
	case strings.HasSuffix(before, "]("):
		open := strings.LastIndexByte(before, '[')
		return open < 0 || !toward.MatchString(before[:open])
	}
	return false
}

var toward = source.Wording("place.toward")
