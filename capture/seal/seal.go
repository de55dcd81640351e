package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"strings"
	"time"

	"showhow/capture"
	"showhow/capture/lexical"
)

// Sealer encrypts values under a learning target's key (decisions B1). Equal values of one target get the same link
// id; without the key neither the value nor its equality with a guess can be computed.
type Sealer struct {
	target string
	link   []byte
	aead   cipher.AEAD
}

// New derives the keys for links and for sealing from the target's 32-byte key.
func New(key []byte, target string) (*Sealer, error) {
	if len(key) < 32 {
		return nil, errors.New("capture: a target's key has 32 bytes")
	}
	link, err := hkdf.Key(sha256.New, key, nil, "showhow/vault/link/v1", 32)
	if err != nil {
		return nil, err
	}
	seal, err := hkdf.Key(sha256.New, key, nil, "showhow/vault/seal/v1", 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(seal)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	return &Sealer{target: target, link: link, aead: aead}, nil
}

var linkEncoding = base32.StdEncoding.WithPadding(base32.NoPadding)

// LinkID is "v_" and 80 bits of HMAC-SHA256 of the normalised value.
func (s *Sealer) LinkID(value string) string {
	mac := hmac.New(sha256.New, s.link)
	mac.Write([]byte(s.target))
	mac.Write([]byte{0})
	mac.Write([]byte(lexical.Normal(value)))
	return "v_" + strings.ToLower(linkEncoding.EncodeToString(mac.Sum(nil)[:10]))
}

// Seal makes the vault row of a value.
func (s *Sealer) Seal(session string, kind capture.ValueKind, value string, at time.Time) capture.SealedRow {
	row := capture.SealedRow{LinkID: s.LinkID(value), Target: s.target, SessionID: session, Kind: kind, CreatedAt: at.UTC()}
	row.Nonce = make([]byte, s.aead.NonceSize())
	rand.Read(row.Nonce) // never fails: it ends the program instead
	row.Sealed = s.aead.Seal(nil, row.Nonce, []byte(lexical.Normal(value)), sealedWith(row.Target, row.LinkID))
	return row
}

// sealedWith binds a row to its target and link, so that rows cannot be swapped.
func sealedWith(target, link string) []byte { return []byte(target + "\x00" + link) }

// Open opens rows of one target. Rows that do not open (another key, changed bytes) are skipped and counted in the
// error; the others are returned all the same.
func Open(key []byte, rows []capture.SealedRow) (map[string]string, error) {
	values := make(map[string]string, len(rows))
	sealers := map[string]*Sealer{}
	failed := 0
	for _, row := range rows {
		s := sealers[row.Target]
		if s == nil {
			var err error
			if s, err = New(key, row.Target); err != nil {
				return nil, err
			}
			sealers[row.Target] = s
		}
		if len(row.Nonce) != s.aead.NonceSize() {
			failed++
			continue
		}
		plain, err := s.aead.Open(nil, row.Nonce, row.Sealed, sealedWith(row.Target, row.LinkID))
		if err != nil {
			failed++
			continue
		}
		values[row.LinkID] = string(plain)
	}
	if failed > 0 {
		return values, fmt.Errorf("capture: %d of %d sealed values do not open", failed, len(rows))
	}
	return values, nil
}
