package prose

import (
	"strings"

	"showhow/daemon/skill/scan/source"
	"showhow/internal/lazyre"
)

// barePlace is an address as people write it: a host of a usual ending without a scheme, a mailbox, a handle, a number.
var barePlace = lazyre.New(`(?:https?://)?(?:[\w-]+\.)+(?:com|net|org|info|app|dev|io|co|cloud|top|xyz|site|online|me|cc|ru|cn|eu|biz|` +
	`ai|tech|live|store|host|space|website|link|click|page|pw|su|to|gg|example|test)\b(?:/[^\s,;)]*)?|[\w.+-]+@(?:[\w-]+\.)+\w+|\s@\w{4,` +
	`}|\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b`)

// said: what follows is the end of a way, as people say it.
var said = lazyre.New(`\b(?:to|at|on|under|over|from|by|with|into|via|through|of|for|visit|consult|ask|feed|service|site|page)\s*$`)

// addressesNamed says what addresses a sentence names that the skill's name and description do not.
func addressesNamed(s string, about string) (k Ask) {
	dot := strings.IndexByte(s, '.')
	if (dot < 0 || dot >= len(s)-1) && strings.IndexByte(s, '@') < 0 {
		return 0
	}
	if len(strings.Fields(Unaddressed(s))) < 2 && strings.Count(s, "://") == 0 {
		return 0 // a value, of which nothing is said
	}
	for _, at := range barePlace.FindAllStringIndex(s, 6) {
		m := s[at[0]:at[1]]
		if pointsAt(s[:at[0]]) {
			continue
		}
		host := m
		mail := strings.Contains(m, "@")
		if i := strings.LastIndexByte(host, '@'); i >= 0 {
			host = host[i+1:]
		}
		host = strings.TrimPrefix(strings.TrimPrefix(host, "https://"), "http://")
		host, _, _ = strings.Cut(host, "/")
		if !mail && (source.TrustedHost(host) || source.Local(host)) || source.DeclaredHost(host, about) {
			continue
		}
		if mail && release.MatchString(host) || mail && person.MatchString(s) {
			continue // a package with its version; who somebody is
		}
		k |= aAddress
		if mail || !got.MatchString(clause(s[:at[0]])) {
			k |= aTaker
		}
		if mail {
			k |= aMailbox
		}
		if (mail || !strings.Contains(m, "://") && said.MatchString(s[:at[0]])) && strings.Count(s[:at[0]], "`")%2 == 0 {
			k |= aBare
		}
	}
	return k
}

var (
	release = lazyre.New(`^v?\d+(?:\.\d+)*\.\w+$`)
	person  = lazyre.New(`^\W*[\pL .'-]{2,60}<[^<>\s]+@[^<>\s]+>\W*$`)

	// got: the address that follows is where one gets or reads something, or signs in; nothing goes there.
	got = source.Re(`\b(?:get|obtain|regist(?:er|ration)|sign(?:ing)? (?:up|in)|log(?:ging)? ?in|create|generate|manage|available|found|see|` +
		`documented|hosted|described|install(?:ed)?|download(?:ed)?|clone|learn more|more information|documentation|docs|reference|source|` +
		`homepage|website|dashboard|console|account)\b[^;]{0,60}$`)
)

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

var toward = lazyre.New(`\b(?:to|at|into|onto|via|through|visit|open|load|fetch|call)\s*(?:the |our |this )?$`)
