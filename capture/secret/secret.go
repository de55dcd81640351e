package secret

import (
	"strings"

	"showhow/internal/lazyre"
)

// Kind is the kind of a removed secret.
type Kind string

const (
	Password   Kind = "password"
	AccessKey  Kind = "token" // API keys, tokens, session ids
	PrivateKey Kind = "private_key"
	Cookie     Kind = "cookie"
	OTP        Kind = "otp"
	Card       Kind = "card"
	IBAN       Kind = "iban"
	Email      Kind = "email"
	Phone      Kind = "phone"
	NationalID Kind = "national_id"
	Env        Kind = "env"      // a value handed to a container's environment
	Opaque     Kind = "opaque"   // a word that looks random
	Secret     Kind = "secret"   // a value the person entered into a secret field
	Name       Kind = "name"     // a name the person signed in with
	Withheld   Kind = "withheld" // the redactor could not judge the text
)

// Kinds lists every kind.
var Kinds = []Kind{Password, AccessKey, PrivateKey, Cookie, OTP, Card, IBAN, Email, Phone, NationalID, Env, Opaque, Secret, Name, Withheld}

// Personal reports whether the kind is a personal identifier rather than a secret: such a value may be sealed, a
// secret never.
func (k Kind) Personal() bool {
	return k == Email || k == Phone || k == IBAN || k == NationalID
}

// Token replaces a secret of kind k in a text.
func Token(k Kind) string { return "[[secret " + string(k) + "]]" }

// LinkPattern is the form of a link id (seal.Sealer).
const LinkPattern = `v_[a-z2-7]{16}`

// tokenRE matches what an earlier redaction or sealing left. Its grammar is closed, so that no text can hide behind
// it.
var tokenRE = lazyre.New(`\[\[(?:secret (?:` + kindPattern() + `)|[a-z]{2,10} [0-9]{1,7} ` + LinkPattern + `)\]\]`)

func kindPattern() string {
	names := make([]string, len(Kinds))
	for i, k := range Kinds {
		names[i] = string(k)
	}
	return strings.Join(names, "|")
}

// Tokens returns the byte ranges of s that an earlier redaction or sealing left, in order.
func Tokens(s string) [][2]int {
	if !strings.Contains(s, "[[") {
		return nil
	}
	var spans [][2]int
	for _, m := range tokenRE.FindAllStringIndex(s, -1) {
		spans = append(spans, [2]int{m[0], m[1]})
	}
	return spans
}

// Cut shortens s to at most n UTF-16 units (the wire's unit) on a rune boundary and never inside a token.
func Cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	units, end := 0, len(s)
	for i, r := range s {
		w := 1
		if r > 0xFFFF {
			w = 2
		}
		if units+w > n {
			end = i
			break
		}
		units += w
	}
	if end == len(s) {
		return s
	}
	for _, t := range Tokens(s) {
		if t[0] < end && end < t[1] {
			end = t[0]
			break
		}
	}
	return s[:end]
}

// Readable returns the byte ranges of s that no earlier replacement covers.
func Readable(s string) [][2]int {
	var out [][2]int
	at := 0
	for _, t := range Tokens(s) {
		if t[0] > at {
			out = append(out, [2]int{at, t[0]})
		}
		at = t[1]
	}
	if at < len(s) {
		out = append(out, [2]int{at, len(s)})
	}
	return out
}
