package redact

import (
	"strings"

	"showhow/capture/secret"
	"showhow/internal/lazyre"
)

// shapeRules recognise a secret by its randomness.
var shapeRules = []rule{
	{
		name: "random-word", kind: secret.Opaque, run: 20,
		re:   `[A-Za-z0-9][A-Za-z0-9+_-]{18,}[A-Za-z0-9+_-](?:={1,2})?`,
		keep: func(t string, s, e int) bool { return ordinaryWord(t, s, t[s:e]) },
		hits: []string{"login «Zx8Qm2Lr7TpVw4KdNs9Y»", "x «a9f3k2m8q1z7w5c4v6b0n2x8»", "«dGhpcyBpcyBhIHNlY3JldCBrZXkh»",
			"https://h.example/d/«1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs»/edit"},
		misses: []string{"github.com/chromedp/chromedp/runner", "MyVeryLongJavaClassNameFactoryBean2", "3f2b8c1e-7a44-4f0e-9d1b-2c3d4e5f6a7b",
			"react-dom-18-2-0-production-min",
			"/usr/lib/x86_64-linux-gnu/libgtk-3", "kube-prometheus-stack-53-0-0-values", "2026-11-21T10-42-00-backup-full",
			"01JD3ZK8W2Q9V7M4X6B0N5C1AT", "why-we-left-microservices-3f2b8c1e7a44",
			"/nix/store/8zq2y6d9x0mj3kvbqn4l5wsr7c1pfahg-ripgrep-14", "age -r age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p"},
	},
	{
		name: "random-base64", kind: secret.Opaque, run: 20,
		re: `[A-Za-z0-9][A-Za-z0-9+/_-]{18,}[A-Za-z0-9+/_-](?:={1,2})?`,
		keep: func(t string, s, e int) bool {
			w := t[s:e]
			if !strings.Contains(w, "/") || s > 0 && strings.IndexByte("/.~@:", t[s-1]) >= 0 || strings.Contains(w, "//") || isPathlike(w) {
				return true // an address or a path: its parts are judged as words
			}
			return ordinaryWord(t, s, w)
		},
		hits: []string{"k «wJalrXUtnFEMI/K7MDENG/bPxRfiCYzEXAMPLE2Y»"}, misses: []string{
			"src/Components/OrderTable2/OrderTable", "h.example/1BxiMVs0XRA5nFMdKvBd/x"},
	},
	{
		name: "random-hex", kind: secret.Opaque, run: 32,
		re:   `\b(?:[0-9a-f]{32,128}|[0-9A-F]{32,128})\b`,
		keep: ordinaryHex,
		hits: []string{"login «9f86d081884c7d659a2feaa0c55ad015»", "https://h.example/r/«9f86d081884c7d659a2feaa0c55ad015»"},
		misses: []string{"git show 3f2b8c1e7a444f0e9d1b2c3d4e5f6a7b8c9d0e1f",
			"docker pull a@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "00000000000000000000000000000000",
			"/var/lib/docker/overlay2/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08/merged",
			"3f2b8c1e7a444f0e9d1b2c3d4e5f6a7b8c9d0e1f\trefs/heads/main",
			`If-None-Match: "33a64df551425fcc55e4d42a148795d9f25f89d4"`},
	},
	{
		name: "base32-seed", kind: secret.OTP, digits: 1, run: 16,
		re: `\b(?:[A-Z2-7]{16}|[A-Z2-7]{26}|[A-Z2-7]{32}|[A-Z2-7]{52}|[A-Z2-7]{56}|[A-Z2-7]{64})\b`,
		keep: func(t string, s, e int) bool {
			n := len(digits(t[s:e]))
			return inWord(t, s, e) || n < 1 || n > (e-s)/2 || shannon(t[s:e]) < 3
		},
		hits: []string{"key «MFRGGZDFMZTWQ2LK» added"}, misses: []string{"3AA5C34371567BD2", "INTERNATIONALISE"},
	},
}

var (
	uuidRE = lazyre.New(`(?i)^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
	ulidRE = lazyre.New(`^0[0-7][0-9A-HJKMNP-TV-Z]{24}$`)
	hexRE  = lazyre.New(`^(?:[0-9a-f]+|[0-9A-F]+)$`)
	// Keys that are meant to be public.
	publicRE = lazyre.New(`^(?:age1[02-9ac-hj-np-z]{58}|AAAA[CBE][0-9A-Za-z+/]+)$`)
	// Programs and contexts in which content hashes are ordinary.
	hashContextRE = lazyre.New(`(?i)(?:\b(?:git|hg|jj|docker|podman|nerdctl|crictl|ctr|kubectl|gh|glab|nix\S*|ostree|ipfs|restic|` +
		`borg|cosign|skopeo|crane|dvc|rekor-cli)\s[^\n;|&]*|(?:sha(?:1|224|256|384|512)|md5|blake[23]b?|commit|tree|blob|rev|revision|digest|` +
		`checksum|hash|etag|integrity|if-(?:none-)?match|urn:btih)\S{0,8}[:=/ ` +
		`"-]+|/(?:commit|tree|blob|compare|raw|objects|sha256)/|/(?:nix|gnu)/store/|(?:md5|sha\d+)sum\b[^\n]*)$`)
	// An element of a file path: programs name their stores by hashes. In an address it may grant access.
	filePathRE = lazyre.New(`(?:^|[\s"'=(])(?:~|\.{1,2}|[A-Za-z]:)?/(?:[^\s"':]*/)?$`)
)

// hashFollowsRE: a line of a checksum file.
var hashFollowsRE = lazyre.New(`^ [ *][^\s]|^\s+refs/|^[^\n]*\|\s*(?:sha\d+|md5|b2)sum`)

// isPathlike: a component that consists of three or more lower-case letters is a word; base64 seldom has one.
func isPathlike(w string) bool {
	for part := range strings.SplitSeq(w, "/") {
		if len(part) >= 3 && strings.Trim(part, "abcdefghijklmnopqrstuvwxyz_-") == "" {
			return true
		}
	}
	return false
}

// ordinaryWord reports that a long word is not random: a slug, an identifier, a UUID, a content hash.
func ordinaryWord(text string, start int, w string) bool {
	if uuidRE.MatchString(w) || hexRE.MatchString(w) || ulidRE.MatchString(w) || publicRE.MatchString(w) {
		return true // hex has a rule of its own
	}
	if hashContextRE.MatchString(text[max(0, start-120):start]) && !strings.ContainsAny(strings.TrimRight(w, "="), "+/_") && isLower(w) {
		return true
	}
	return isSlug(w) || !random(w)
}

// isSlug: words, numbers and short hex separated by hyphens or underscores.
func isSlug(w string) bool {
	words := 0
	for part := range strings.FieldsFuncSeq(w, func(r rune) bool { return r == '-' || r == '_' }) {
		switch {
		case isLower(part) && strings.Trim(part, "abcdefghijklmnopqrstuvwxyz") == "", strings.Trim(part,
			"0123456789") == "", versionRE.MatchString(part):
			words++
		case hexRE.MatchString(part):
		default:
			return false
		}
	}
	return words >= 2
}

var versionRE = lazyre.New(`^(?:[a-z]+\d{1,3}|v?\d+[a-z]{1,3}|[A-Z][a-z]+)$`)

func isLower(s string) bool { return strings.ToLower(s) == s }

// random measures how often the character class changes between neighbours, not counting a word's initial capital: in
// random base64 and base36 two times in five, in names given by people seldom. Separators end a run.
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
	from := text[max(0, start-120):start]
	return hashContextRE.MatchString(from) || hashFollowsRE.MatchString(text[end:]) || filePathRE.MatchString(from)
}
