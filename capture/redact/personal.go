package redact

import (
	"strings"

	"showhow/capture/secret"
	"showhow/internal/lazyre"
)

// personalRules recognise personal identifiers by their form and check digits.
var personalRules = []rule{
	{
		name: "card", kind: secret.Card, digits: 12,
		re:   `\b(?:\d[ -]?){12,18}\d\b`, // in groups as cards have them
		fit:  cardIn,
		keep: func(t string, s, e int) bool { return inWord(t, s, e) },
		hits: []string{"visa «4539 1488 0343 6467» 11/27", "pay «4111 1111 1111 1111» now", "«5555555555554444»", "«3782-822463-10005»"},
		misses: []string{"1732190000000", "4111111111111112", "order 1234567890123456", "v4111111111111111x",
			"for q in 60 70 80 85 90 95 100; do"},
	},
	{
		name: "iban", kind: secret.IBAN, digits: 6,
		re:   `\b(?:[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?|[a-z]{2}\d{2}[a-z0-9]{11,30})\b`,
		keep: func(t string, s, e int) bool { return !isIBAN(t[s:e]) },
		hits: []string{"to «DE89 3704 0044 0532 0130 00» today", "«de89370400440532013000»", "«GB29 NWBK 6016 1331 9268 19»"}, misses: []string{
			"AB12 3456 7890 1234", "DE00370400440532013000"},
	},
	{
		name: "email", kind: secret.Email, hints: []string{"@", "%40"},
		re:   `[\p{L}\p{N}_][\p{L}\p{N}._%+'-]*(?:@|%40)(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}{2,24}`,
		fit:  mailIn,
		keep: notMail,
		hits: []string{"«j.doe@example.com»-2026.pdf", "To: «anna.meier@example.com»", "git config user.email «a+b@x.co.uk»",
			"git commit --author 'B <«b@x.io»>'", "q=«bob%40example.org»"},
		misses: []string{"git@github.com:o/r.git", "ssh deploy@web1.example.com uptime", "ssh -J ec2-user@10.0.0.7 bob@web1.example.com",
			"scp -P 2222 a.txt ec2-user@web1.example.com:", "ssh -o 'ProxyCommand=nc a b | tee l' bob@web1.example.com",
			"rsync -a \\\n d/ bob@web1.example.com", "scp a bob@h.example.com:/srv", "npm i react@18.2.0",
			"systemctl status getty@tty1.service", "go get example.com/x@v1.2.3", "rsync -a d/ u@h.example.org:d/", "logo@2x.png",
			"http --form POST h file@x.csv"},
	},
	{
		name: "phone-international", kind: secret.Phone, digits: 9, hints: []string{"+", "00"},
		re: `(?:^|[^\w+.,:/=-])((?:\+|00)[1-9]\d{0,2}(?:[ ./-]?\(?\d{1,5}\)?){2,6})\b`,
		keep: func(t string, s, e int) bool {
			d := digits(t[s:e])
			return len(d) < 9 || len(d) > 17 || t[s] == '0' && !strings.ContainsAny(t[s:e], " /-(") || strings.Contains(t[s:e], ".") &&
				!strings.Contains(t[s:e], "+") || digits(t[s+1:e]) == t[s+1:e] && countPrograms[program(t, s)]
		},
		hits: []string{"call «+49 151 2345 6789»", "«+14155552671» is mine", "fon «0049 30 1234567»"}, misses: []string{
			"date +%Y", "chmod +755 x", "tail -n +1000", "tail -n +347340107 dump.sql", "ssh h 'tail -n +347340107 f'",
			"xz -dc a | tail -c +4200000000",
			"seq 0000000001 3", "a+12345678901"},
	},
	{
		name: "phone-national", kind: secret.Phone, digits: 9,
		re: `(?:^|[^\w+.,:/=#-])(\(\d{3}\) ?\d{3}[ -]\d{4}|[2-9]\d{2}[-. ][2-9]\d{2}[-. ]\d{4}|0[1-9]\d{1,3}[ /-]\d{5,9}|0[1-9](?: ` +
			`\d{2}){4}|0[1-9]\d{1,2} \d{3,4} \d{4})\b`,
		keep: func(t string, s, e int) bool { return inWord(t, s, e) },
		hits: []string{"«(415) 555-2671»", "tel «415-555-2671»", "Tel. «0151 23456789»", "«06 12 34 56 78»",
			"UK «020 7946 0991»"}, misses: []string{"2026-11-21", "10.0.0.1", "1-800", "chmod 0644 123456789x"},
	},
}

// cardIn is the longest beginning of a run of digits that is a card number: a date may follow.
func cardIn(t string, s, e int) (int, int) {
	for end := e; end > s; end-- {
		if t[end-1] >= '0' && t[end-1] <= '9' && (end == len(t) || t[end] < '0' || t[end] > '9') && grouped(t[s:end]) &&
			isCard(digits(t[s:end])) {
			return s, end
		}
	}
	return s, s
}

// grouped: written in one piece, or in groups of at least three; a list of small numbers is no card.
func grouped(s string) bool {
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == ' ' || r == '-' }) {
		if len(part) < 3 {
			return false
		}
	}
	return true
}

// digits keeps the digits of s.
func digits(s string) string {
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		if '0' <= s[i] && s[i] <= '9' {
			b = append(b, s[i])
		}
	}
	return string(b)
}

// inWord reports whether the span is a part of a longer number or word.
func inWord(t string, s, e int) bool {
	return s > 0 && (isAlnum(t[s-1]) || t[s-1] == '_' || (t[s-1] == '.' || t[s-1] == '-') && s > 1 && isAlnum(t[s-2])) ||
		e < len(t) && (isAlnum(t[e]) || t[e] == '_' || (t[e] == '.' || t[e] == '-') && e+1 < len(t) && isAlnum(t[e+1]))
}

func isAlnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// cardRE: issuer prefixes and their lengths (ISO/IEC 7812 ranges of the large networks).
var cardRE = lazyre.New(`^(?:4\d{12}(?:\d{3}(?:\d{3})?)?|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|` +
	`3[47]\d{13}|3(?:0[0-59]|[689]\d)\d{11}|6(?:011|4[4-9]\d|5\d\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12}|(?:50|5[6-9]|6[0379])\d{10,17}|62\d{14,` +
	`17})$`)

// isCard reports whether digits are a payment card number: a known issuer and a valid check digit.
func isCard(d string) bool { return cardRE.MatchString(d) && luhn(d) }

func luhn(d string) bool {
	sum := 0
	for i := range len(d) {
		n := int(d[len(d)-1-i] - '0')
		if i%2 == 1 {
			if n *= 2; n > 9 {
				n -= 9
			}
		}
		sum += n
	}
	return sum%10 == 0
}

// isIBAN checks ISO 13616's length bounds and check digits.
func isIBAN(s string) bool {
	s = strings.ToUpper(strings.ReplaceAll(s, " ", ""))
	if len(s) < 15 || len(s) > 34 {
		return false
	}
	rem := 0
	for _, c := range s[4:] + s[:4] {
		switch {
		case '0' <= c && c <= '9':
			rem = (rem*10 + int(c-'0')) % 97
		case 'A' <= c && c <= 'Z':
			rem = (rem*100 + int(c-'A') + 10) % 97
		default:
			return false
		}
	}
	return rem == 1
}

// countPrograms take +N as a line, a byte, a size or a time.
var countPrograms = map[string]bool{"tail": true, "head": true, "less": true, "more": true, "most": true, "vi": true, "vim": true,
	"nvim": true, "view": true, "emacs": true, "nano": true, "sort": true, "cut": true, "split": true,
	"xxd": true, "find": true, "date": true, "touch": true}

var (
	remoteRE = lazyre.New(
		`(?:^|[\s;|&(/"'])(?:ssh|scp|sftp|rsync|mosh|ssh-copy-id|sshfs|autossh|sshpass|ansible|rclone|pdsh|sshuttle|xpra)\s` +
			`(?:[^\n;|&]|\\\n|"[^"\n]*"|'[^'\n]*')*$`)
	unitMailRE = lazyre.New(`(?i)\.(?:service|socket|timer|target|slice|mount|path|scope|device|automount|swap)$`)
	// logo@2x.png, curl's file@x.csv
	scaledRE = lazyre.New(
		`(?i)^\.(?:png|jpe?g|gif|svg|webp|ico|bmp|tiff?|pdf|csv|txt|json|xml|html?|css|js|xlsx?|docx?|tar|gz|mp[34]|ya?ml|toml|log|sock)$`)
	assignsRE = lazyre.New(`(?i)(?:mail|from|to|cc|author|user)[\w-]*[ =:]+["'<]?$`)
)

// mailIn ends an address before the rest of a file name; an image's name is not an address.
func mailIn(t string, s, e int) (int, int) {
	at := s + strings.IndexAny(t[s:e], "@%")
	for dot := strings.LastIndexByte(t[at:e], '.'); dot >= 0; dot = strings.LastIndexByte(t[at:at+dot], '.') {
		tld := topRE.FindString(t[at+dot : e])
		if len(tld) > 2 && !scaledRE.MatchString(tld) {
			return s, at + dot + len(tld)
		}
	}
	return s, s
}

var topRE = lazyre.New(`^\.\p{L}+`)

// notMail: user@host of remote shells, template units, scp-style paths.
func notMail(t string, s, e int) bool {
	v := t[s:e]
	if strings.HasPrefix(strings.ToLower(v), "git@") || unitMailRE.MatchString(v) {
		return true
	}
	if e < len(t) && t[e] == ':' && e+1 < len(t) && t[e+1] != ' ' && t[e+1] != '\n' {
		return true // user@host:path
	}
	if s > 2 && strings.HasSuffix(t[:s], "://") {
		return true // the URL rules judge user info
	}
	before := t[max(0, s-600):s]
	return remoteRE.MatchString(before) && !assignsRE.MatchString(before)
}
