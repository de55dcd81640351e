package remote

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"github.com/go-jose/go-jose/v4"

	"showhow/internal/fault"
)

// Names in the keyring.
const (
	signingName   = "remote-signing-"
	requesterName = "remote-requester"
)

// signingKey is an ES256 key; it implements op.SigningKey.
type signingKey struct {
	key *ecdsa.PrivateKey
	id  string
}

func (k signingKey) SignatureAlgorithm() jose.SignatureAlgorithm { return jose.ES256 }
func (k signingKey) Key() any                                    { return k.key }
func (k signingKey) ID() string                                  { return k.id }

func (k signingKey) public() jose.JSONWebKey {
	return jose.JSONWebKey{Key: &k.key.PublicKey, KeyID: k.id, Algorithm: string(jose.ES256), Use: "sig"}
}

// fingerprint is the key's id: the first 16 hexadecimal digits of its SHA-256.
func fingerprint(public []byte) string {
	sum := sha256.Sum256(public)
	return hex.EncodeToString(sum[:8])
}

// signing reads one of the keys.
func (s *Service) signing(ctx context.Context, row KeyRow) (signingKey, error) {
	seed, err := s.o.Keys.Key(ctx, signingName+strconv.Itoa(row.Number))
	if err != nil {
		return signingKey{}, err
	}
	for range 8 { // one in 2^32 seeds is no scalar of the curve
		if key, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), seed); err == nil {
			public, err := key.PublicKey.Bytes()
			return signingKey{key, fingerprint(public)}, err
		}
		sum := sha256.Sum256(seed)
		seed = sum[:]
	}
	return signingKey{}, fault.New(fault.StoreCorrupt, "a signing key is damaged").WithHint("make a new one: showhow remote rotate")
}

// signingKeys returns the keys that are published, the one that signs first. A key that has signed long enough gets a
// successor; one whose tokens have expired is destroyed.
func (s *Service) signingKeys(ctx context.Context, rotate bool) ([]signingKey, error) {
	var rows, old []KeyRow
	now := s.o.Now()
	turn := func(x *Settings) bool {
		changed := rotate || len(x.Keys) == 0 || now.Sub(x.Keys[0].CreatedAt.Time) > keyLife
		if changed {
			x.LastKey++
			x.Keys = append([]KeyRow{{Number: x.LastKey, CreatedAt: now}}, x.Keys...)
		}
		for len(x.Keys) > 1 { // a key was in use until its successor came
			last := len(x.Keys) - 1
			if now.Sub(x.Keys[last-1].CreatedAt.Time) <= machineLife {
				break
			}
			old, x.Keys, changed = append(old, x.Keys[last]), x.Keys[:last], true
		}
		return changed
	}
	var stale bool
	err := s.o.Store.View(ctx, func(tx Tx) error {
		x, _, err := tx.RemoteSettings()
		stale, rows = turn(&x), x.Keys
		return err
	})
	if err == nil && stale {
		old = nil
		err = s.o.Store.Update(ctx, func(tx Tx) error {
			x, _, err := tx.RemoteSettings()
			if err != nil {
				return err
			}
			before := x.LastKey
			turn(&x)
			rows = x.Keys
			if x.LastKey != before {
				if err := s.note(tx, keyRotated, "Tokens of remote callers are signed by a new key.", "", nil); err != nil {
					return err
				}
			}
			return tx.PutRemoteSettings(x)
		})
	}
	if err != nil {
		return nil, err
	}
	for _, k := range old {
		if err := s.o.Keys.Destroy(ctx, signingName+strconv.Itoa(k.Number)); err != nil {
			s.o.Log.Warn("an old signing key could not be destroyed", "code", string(fault.CodeOf(err)))
		}
	}
	out := make([]signingKey, 0, len(rows))
	for _, row := range rows {
		k, err := s.signing(ctx, row)
		if err != nil {
			return nil, err
		}
		out = append(out, k)
	}
	return out, nil
}

// requester is the public key by which others can verify what this computer signs (section 10.9).
func (s *Service) requester(ctx context.Context) (jose.JSONWebKey, error) {
	seed, err := s.o.Keys.Key(ctx, requesterName)
	if err != nil {
		return jose.JSONWebKey{}, err
	}
	public := ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey)
	return jose.JSONWebKey{Key: public, KeyID: fingerprint(public), Use: "sig"}, nil
}
