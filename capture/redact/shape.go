package redact

import (
	"regexp"
	"strings"
)

// shapeRules know a secret by looking random.
var shapeRules = []rule{
	{
		name: "random-word", kind: Opaque, run: 20,
		re:   `[A-Za-z0-9][A-Za-z0-9+/_-]{18,}[A-Za-z0-9+/_-](?:={1,2})?`,
		keep: ordinary,
		hits: []string{"login «Zx8Qm2Lr7TpVw4KdNs9Y»", "k «wJalrXUtnFEMI/K7MDENG/bPxRfiCYzEXAMPLE2Y»", "x «a9f3k2m8q1z7w5c4v6b0n2x8»", "«dGhpcyBpcyBhIHNlY3JldCBrZXkh»"},
		misses: []string{"github.com/chromedp/chromedp/runner", "MyVeryLongJavaClassNameFactoryBean2", "3f2b8c1e-7a44-4f0e-9d1b-2c3d4e5f6a7b", "react-dom-18-2-0-production-min",
			"/usr/lib/x86_64-linux-gnu/libgtk-3", "kube-prometheus-stack-53-0-0-values", "2026-11-21T10-42-00-backup-full"},
	},
	{
		name: "random-hex", kind: Opaque, run: 32,
		re:     `\b(?:[0-9a-f]{32,128}|[0-9A-F]{32,128})\b`,
		keep:   ordinaryHex,
		hits:   []string{"login «9f86d081884c7d659a2feaa0c55ad015»"},
		misses: []string{"git show 3f2b8c1e7a444f0e9d1b2c3d4e5f6a7b8c9d0e1f", "docker pull a@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "00000000000000000000000000000000"},
	},
}

var (
	uuidRE = regexp.MustCompile(`(?i)^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
	hexRE  = regexp.MustCompile(`^(?:[0-9a-f]+|[0-9A-F]+)$`)
	// Programs and forms in which content hashes are everyday words.
	hashContextRE = regexp.MustCompile(`(?i)(?:\b(?:git|hg|jj|docker|podman|nerdctl|crictl|ctr|kubectl|gh|glab|nix\S*|ostree|ipfs|restic|borg|cosign|skopeo|crane|dvc)\s[^\n;|&]*|(?:sha(?:1|224|256|384|512)|md5|blake[23]b?|commit|tree|blob|rev|revision|digest|checksum|hash|etag|integrity)\S{0,8}[:=/ -]+|/(?:commit|tree|blob|compare|raw|objects|sha256)/|(?:md5|sha\d+)sum\b[^\n]*)$`)
)

// hashFollowsRE: a line of a checksum file.
var hashFollowsRE = regexp.MustCompile(`^ [ *][^\s]|^[^\n]*\|\s*(?:sha\d+|md5|b2)sum`)

// ordinary says that a long word is no random one: a path, a slug, an identifier, a UUID, a content hash.
func ordinary(text string, start, end int) bool {
	w := text[start:end]
	if start > 0 && (text[start-1] == '/' || text[start-1] == '.' || text[start-1] == '~' || text[start-1] == '@') || strings.Contains(w, "//") {
		return allOrdinary(text, start, w)
	}
	if strings.Contains(w, "/") && isPathlike(w) {
		return allOrdinary(text, start, w)
	}
	return ordinaryWord(text, start, w)
}

// allOrdinary judges the components of a path one by one.
func allOrdinary(text string, start int, w string) bool {
	at := start
	for part := range strings.SplitSeq(w, "/") {
		if len(part) >= 20 && !ordinaryWord(text, at, part) {
			return false
		}
		at += len(part) + 1
	}
	return true
}

// isPathlike: a component of three or more lower-case letters and nothing else is a word; base64 seldom has one.
func isPathlike(w string) bool {
	for part := range strings.SplitSeq(w, "/") {
		if len(part) >= 3 && strings.Trim(part, "abcdefghijklmnopqrstuvwxyz_-") == "" {
			return true
		}
	}
	return false
}

func ordinaryWord(text string, start int, w string) bool {
	if uuidRE.MatchString(w) || hexRE.MatchString(w) {
		return true // hex has a rule of its own
	}
	if hashContextRE.MatchString(text[max(0, start-120):start]) && !strings.ContainsAny(strings.TrimRight(w, "="), "+/_") && isLower(w) {
		return true
	}
	return !random(w)
}

func isLower(s string) bool { return strings.ToLower(s) == s }

// random measures how often a character's class changes to the next one's, a capital that begins a word not counted: in
// random base64 and base36 two times of five, in names that people make seldom. Separators end a run.
func random(w string) bool {
	var letters, digits, uppers, changes, pairs, longest, run int
	prev := byte(0)
	for i := range len(w) {
		c := class(w[i])
		switch c {
		case 'd':
			digits++
		case 'u':
			uppers++
			letters++
		case 'l':
			letters++
		default:
			longest, run, prev = max(longest, run), 0, 0
			continue
		}
		run++
		if prev != 0 {
			pairs++
			if c != prev && !(prev == 'u' && c == 'l') {
				changes++
			}
		}
		prev = c
	}
	longest = max(longest, run)
	if letters == 0 || pairs == 0 || longest < 12 {
		return false
	}
	ratio := float64(changes) / float64(pairs)
	h := shannon(w)
	mixed := uppers > 1 && letters > uppers
	switch {
	case mixed && digits >= 1:
		return ratio >= 0.28 && h >= 3.5
	case mixed:
		return ratio >= 0.30 && h >= 3.8
	default:
		return digits >= 4 && ratio >= 0.33 && h >= 3.4
	}
}

func class(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return 'd'
	case 'a' <= c && c <= 'z':
		return 'l'
	case 'A' <= c && c <= 'Z':
		return 'u'
	}
	return 0
}

func ordinaryHex(text string, start, end int) bool {
	w := text[start:end]
	if inWord(text, start, end) || shannon(w) < 2.5 || strings.Trim(w, "0123456789") == "" {
		return true
	}
	return hashContextRE.MatchString(text[max(0, start-120):start]) || hashFollowsRE.MatchString(text[end:])
}
