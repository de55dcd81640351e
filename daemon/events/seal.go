package events

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
)

func (s *Service) cipher(ctx context.Context) (cipher.AEAD, error) {
	key, err := s.o.Key(ctx)
	if err != nil {
		return nil, err
	}
	b, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(b)
}

// seal encrypts an original, bound to its delivery so that two cannot be swapped.
func (s *Service) seal(ctx context.Context, deliveryID string, original []byte) ([]byte, error) {
	a, err := s.cipher(ctx)
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, a.NonceSize())
	rand.Read(nonce) // never fails: it ends the program instead
	return a.Seal(nonce, nonce, original, []byte(deliveryID)), nil
}

func (s *Service) open(ctx context.Context, deliveryID string, sealed []byte) ([]byte, error) {
	a, err := s.cipher(ctx)
	if err != nil {
		return nil, err
	}
	if len(sealed) < a.NonceSize() {
		return nil, errors.New("events: nothing was sealed")
	}
	return a.Open(nil, sealed[:a.NonceSize()], sealed[a.NonceSize():], []byte(deliveryID))
}
