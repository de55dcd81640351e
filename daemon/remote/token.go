package remote

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/zitadel/oidc/v3/pkg/crypto"
	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"

	"github.com/go-jose/go-jose/v4"
)

func itoa(n int) string { return strconv.Itoa(n) }

// newToken returns the prefix and 40 random bytes.
func newToken(prefix string) string {
	b := make([]byte, 40)
	rand.Read(b)
	return prefix + base64.RawURLEncoding.EncodeToString(b)
}

// hashOf is the only form in which a token or secret is stored. A fast hash is enough: there are 320 bits to guess.
func hashOf(token string) []byte {
	h := sha256.Sum256([]byte("showhow remote\x00" + token))
	return h[:]
}

func nameOf(token string) string { return hex.EncodeToString(hashOf(token)) }

func sameSecret(hash []byte, secret string) bool {
	return len(hash) > 0 && subtle.ConstantTimeCompare(hash, hashOf(secret)) == 1
}

// issue makes an access token, and a refresh token beside it. refreshScopes are what the refresh token can yield.
func (s *Service) issue(tx Tx, c *Caller, scopes, refreshScopes []string) (access, refresh string, err error) {
	access, refresh = newToken("at_"), newToken("rt_")
	now := s.o.Now()
	have, err := tx.RemoteTokens(c.CallerID)
	if err != nil {
		return "", "", err
	}
	var live []Token
	for _, t := range have {
		if t.ExpiresAt.After(now.Time) {
			live = append(live, t)
			continue
		}
		if err := tx.DeleteRemoteToken(t.Hash); err != nil {
			return "", "", err
		}
	}
	for i := 0; i < len(live)-maxTokens+2; i++ {
		if err := tx.DeleteRemoteToken(live[i].Hash); err != nil {
			return "", "", err
		}
	}
	for _, t := range []Token{
		{Hash: nameOf(access), CallerID: c.CallerID, Scopes: scopes, CreatedAt: now, ExpiresAt: now.Plus(accessLife)},
		{Hash: nameOf(refresh), CallerID: c.CallerID, Refresh: true, Scopes: refreshScopes, CreatedAt: now, ExpiresAt: now.Plus(refreshLife)},
	} {
		if err := tx.PutRemoteToken(t); err != nil {
			return "", "", err
		}
	}
	return access, refresh, nil
}

// machineToken signs a token for a machine.
func (h *house) machineToken(ctx context.Context, c Caller, scopes []string) (string, error) {
	ks, err := h.s.signingKeys(ctx, false)
	if err != nil {
		return "", err
	}
	now := h.s.o.Now()
	claims := oidc.NewAccessTokenClaims(h.settings.URL, c.CallerID, []string{c.Resource}, now.Time.Add(machineLife), h.s.o.NewID(),
		c.ClientID, 0)
	claims.IssuedAt, claims.NotBefore, claims.Scopes = oidc.FromTime(now.Time), oidc.FromTime(now.Time), scopes
	signer, err := op.SignerFromKey(ks[0])
	if err != nil {
		return "", err
	}
	return crypto.Sign(claims, signer)
}

// keySet verifies signatures by the published keys, ES256 alone.
type keySet []signingKey

func (ks keySet) VerifySignature(_ context.Context, jws *jose.JSONWebSignature) ([]byte, error) {
	kid, alg := oidc.GetKeyIDAndAlg(jws)
	for _, k := range ks {
		if k.id == kid && alg == string(jose.ES256) {
			return jws.Verify(&k.key.PublicKey)
		}
	}
	return nil, oidc.ErrSignatureInvalid
}

// plausible reports whether a signed token may be one of this server's, before any key is read for it.
func (h *house) plausible(token string) bool {
	jws, err := jose.ParseSignedCompact(token, []jose.SignatureAlgorithm{jose.ES256})
	if err != nil || len(jws.Signatures) != 1 || len(jws.Signatures[0].Header.KeyID) != 16 {
		return false
	}
	var claims struct {
		Issuer   string `json:"iss"`
		ClientID string `json:"client_id"`
	}
	return json.Unmarshal(jws.UnsafePayloadWithoutVerification(), &claims) == nil && claims.Issuer == h.settings.URL && claims.ClientID != ""
}

// shown is what a token that was shown is good for.
type shown struct {
	caller  Caller
	scopes  []string
	expires time.Time
}

// check finds out who shows a token, and what it is good for at a resource. ok is false for every token that is wrong,
// for whatever reason.
func (h *house) check(ctx context.Context, token, resource string) (x shown, ok bool, err error) {
	id, machine := "", "" // machine is the client that a signed token is for
	switch {
	case len(token) > 2000:
		return x, false, nil
	case strings.HasPrefix(token, "at_"):
		var t Token
		if err := h.s.o.Store.View(ctx, func(tx Tx) error { t, ok, err = tx.RemoteToken(nameOf(token)); return err }); err != nil || !ok {
			return x, false, err
		}
		if t.Refresh || !t.ExpiresAt.After(h.s.o.Now().Time) {
			return x, false, nil
		}
		id, x.scopes, x.expires = t.CallerID, t.Scopes, t.ExpiresAt.Time
	case strings.Count(token, ".") == 2:
		if !h.plausible(token) {
			return x, false, nil // no key is read, and none made, for what cannot be ours
		}
		ks, err := h.s.signingKeys(ctx, false)
		if err != nil {
			return x, false, err
		}
		v := op.NewAccessTokenVerifier(h.settings.URL, keySet(ks), op.WithSupportedAccessTokenSigningAlgorithms(string(jose.ES256)))
		claims, err := op.VerifyAccessToken[*oidc.AccessTokenClaims](ctx, token, v)
		now := h.s.o.Now().Time
		if err != nil || !claims.GetExpiration().After(now) || claims.NotBefore.AsTime().After(now) || len(claims.Audience) != 1 ||
			claims.Audience[0] != resource {
			return x, false, nil
		}
		id, machine = claims.Subject, claims.ClientID
		x.scopes, x.expires = claims.Scopes, claims.GetExpiration()
	default:
		return x, false, nil
	}
	if err := h.s.o.Store.View(ctx, func(tx Tx) error { x.caller, ok, err = tx.RemoteCaller(id); return err }); err != nil || !ok {
		return x, false, err
	}
	c := x.caller
	if c.Machine != (machine != "") || c.Machine && c.ClientID != machine { // signed tokens are machines' alone
		return x, false, nil
	}
	if c.RevokedAt != nil || c.Resource != resource || !within(x.scopes, c.Scopes) {
		return x, false, nil
	}
	return x, true, nil
}
