package a2a_test

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"
)

// The public card names no skill, a caller's those that are open to it. Both are signed over their canonical form, and a
// changed word is noticed.
func TestCards(t *testing.T) {
	d := open(t)
	public, err := d.s.Public(t.Context(), d.place())
	d.ok(err)
	b, _ := json.Marshal(public)
	if text := string(b); strings.Contains(text, "eceipts") || !strings.Contains(text, `"skills":[]`) ||
		!strings.Contains(text, `"streaming":true`) ||
		strings.Contains(text, "pushNotifications") {
		t.Errorf("%s", text)
	}
	d.verify(b, true)
	d.verify([]byte(strings.Replace(string(b), "Showhow", "Shownow", 1)), false)
	for who, runs := range map[string]bool{"scout": true, "reader": false} {
		card, _ := d.caller(who, runs).call("agent/getAuthenticatedExtendedCard", nil)
		b, _ := json.Marshal(card)
		if text := string(b); strings.Contains(text, "sort-receipts") != runs || strings.Contains(text, "wages") ||
			!strings.Contains(text, "showhow.lookup") {
			t.Errorf("%s: %s", who, text)
		}
		d.verify(b, true)
	}
}

// verify checks a card's signature by an independent canonical form: Go's map encoding, without HTML's escapes, is that
// of RFC 8785 for names in ASCII.
func (d *desk) verify(card []byte, good bool) {
	d.t.Helper()
	var m map[string]any
	d.ok(json.Unmarshal(card, &m))
	s := m["signatures"].([]any)[0].(map[string]any)
	delete(m, "signatures")
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	d.ok(e.Encode(m))
	payload := strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), `\u2028`, "\u2028")
	text := s["protected"].(string) + "." + base64.RawURLEncoding.EncodeToString([]byte(payload)) + "." + s["signature"].(string)
	jws, err := jose.ParseSignedCompact(text, []jose.SignatureAlgorithm{jose.ES256})
	d.ok(err)
	if _, err := jws.Verify(&d.key.PublicKey); (err == nil) != good {
		d.t.Errorf("the signature holds: %v", err)
	}
}
