package access

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// Prefixes make a leaked token recognisable to a secret scanner and to a person.
const (
	AgentPrefix  = "shagent_"
	BearerPrefix = "shbear_"
	CodePrefix   = "shcode_"
)

// NewToken returns prefix and 256 random bits.
func NewToken(prefix string) string {
	b := make([]byte, 32)
	rand.Read(b) // never fails: crypto/rand crashes the program instead
	return prefix + base64.RawURLEncoding.EncodeToString(b)
}

// HashToken is the only form in which a token is stored. A fast hash is enough: there are 256 bits to guess.
func HashToken(token string) []byte {
	h := sha256.Sum256([]byte("showhow token\x00" + token))
	return h[:]
}

// IsAgentToken reports whether a bearer claims to be an agent's.
func IsAgentToken(token string) bool { return strings.HasPrefix(token, AgentPrefix) }
