package access

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"errors"
)

// RequestKey is the lookup key of a request of p; the id itself is not stored.
func RequestKey(p Principal, requestID string) []byte { return derive(p, requestID, "find") }

// Seal encrypts a response so that only a caller who knows the request id can decrypt it.
func Seal(p Principal, requestID string, response []byte) ([]byte, error) {
	a, err := aead(p, requestID)
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, a.NonceSize())
	rand.Read(nonce)
	return a.Seal(nonce, nonce, response, nil), nil
}

// Open reverses Seal.
func Open(p Principal, requestID string, sealed []byte) ([]byte, error) {
	a, err := aead(p, requestID)
	if err != nil {
		return nil, err
	}
	if len(sealed) < a.NonceSize() {
		return nil, errors.New("sealed response is too short")
	}
	return a.Open(nil, sealed[:a.NonceSize()], sealed[a.NonceSize():], nil)
}

func aead(p Principal, requestID string) (cipher.AEAD, error) {
	b, err := aes.NewCipher(derive(p, requestID, "seal"))
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(b)
}

func derive(p Principal, requestID, purpose string) []byte {
	m := hmac.New(sha256.New, []byte(requestID))
	m.Write([]byte("showhow request\x00" + purpose + "\x00" + p.Key()))
	return m.Sum(nil)
}
