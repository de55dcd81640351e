package oci

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"strings"
	"time"

	"github.com/notaryproject/notation-core-go/signature"
	"github.com/notaryproject/notation-core-go/signature/jws"
	"github.com/opencontainers/image-spec/specs-go"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2/content"
	"oras.land/oras-go/v2/registry/remote"

	"showhow/internal/fault"
)

// The signature is a Notary Project signature: what the specification names, so that `notation verify` reads it too.
const (
	signatureType   = "application/vnd.cncf.notary.signature"
	payloadType     = "application/vnd.cncf.notary.payload.v1+json"
	noteThumbprints = "io.cncf.notary.x509chain.thumbprint#S256"
	noteFor         = "dev.showhow.skill.for" // in the signed payload: PATH:TAG, without the registry
)

// KeychainService is the name in the keychain under which the signing key is.
const KeychainService = "showhow-registry"

const (
	keyName = "signing-key"
	keyLife = 20 * 365 * 24 * time.Hour
)

// Keychain holds the signing key.
type Keychain interface {
	Get(ctx context.Context, name string) (string, error) // fault.NotFound if there is none
	Set(ctx context.Context, name, value string) error
	Delete(ctx context.Context, name string) error // fault.NotFound if there is none
}

// payload is what is signed: the manifest, and the name and tag that it is for.
type payload struct {
	Target ocispec.Descriptor `json:"targetArtifact"`
}

// key is the signing key with its certificate.
type key struct {
	private *ecdsa.PrivateKey
	cert    *x509.Certificate
}

// fingerprint names a key, whatever certificate it has.
func fingerprint(c *x509.Certificate) string {
	sum := sha256.Sum256(c.RawSubjectPublicKeyInfo)
	return hex.EncodeToString(sum[:])
}

// isFingerprint reports whether s has the form of a fingerprint.
func isFingerprint(s string) bool {
	b, err := hex.DecodeString(s)
	return err == nil && len(b) == sha256.Size && s == strings.ToLower(s)
}

// signer reads this computer's key, nil when there is none yet or no keychain.
func (s *Service) signer(ctx context.Context) (*key, error) {
	if s.o.Keychain == nil {
		return nil, nil
	}
	text, err := s.o.Keychain.Get(ctx, keyName)
	if fault.Is(err, fault.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	k, err := readKey([]byte(text))
	if err != nil {
		return nil, fault.New(fault.AdapterUnavailable, "the signing key in the keychain cannot be read").
			WithHint("delete the entry " + KeychainService + " in the keychain; the next push makes another key, which others then have to accept")
	}
	return k, nil
}

// Signs reports whether this computer has a key, as far as the keychain says.
func (s *Service) Signs(ctx context.Context) bool {
	k, err := s.signer(ctx)
	return k != nil || err != nil
}

// madeSigner is the key, made if there is none.
func (s *Service) madeSigner(ctx context.Context) (*key, error) {
	s.keyMu.Lock()
	defer s.keyMu.Unlock()
	k, err := s.signer(ctx)
	if k != nil || err != nil || s.o.Keychain == nil {
		return k, err
	}
	k, text, err := newKey(s.o.Now().Time)
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "the signing key could not be made")
	}
	return k, s.o.Keychain.Set(ctx, keyName, text)
}

// Forget deletes the signing key; left names it if the keychain does not let it go.
func (s *Service) Forget(ctx context.Context) (left []string) {
	if s.o.Keychain == nil {
		return nil
	}
	s.keyMu.Lock()
	defer s.keyMu.Unlock()
	if err := s.o.Keychain.Delete(ctx, keyName); err != nil && !fault.Is(err, fault.NotFound) {
		return []string{KeychainService + ", " + keyName}
	}
	return nil
}

// newKey makes a key. Its certificate names nobody: what identifies it is the fingerprint.
func newKey(now time.Time) (*key, string, error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, "", err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, "", err
	}
	c := &x509.Certificate{SerialNumber: serial, Subject: pkix.Name{Country: []string{"ZZ"}, Province: []string{"none"},
		Organization: []string{"Showhow"}, CommonName: "Showhow skill signing"},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(keyLife), KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageCodeSigning}, BasicConstraintsValid: true}
	raw, err := x509.CreateCertificate(rand.Reader, c, c, &private.PublicKey, private)
	if err != nil {
		return nil, "", err
	}
	if c, err = x509.ParseCertificate(raw); err != nil {
		return nil, "", err
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return nil, "", err
	}
	text := append(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw})...)
	return &key{private, c}, string(text), nil
}

func readKey(text []byte) (*key, error) {
	first, rest := pem.Decode(text)
	second, _ := pem.Decode(rest)
	if first == nil || second == nil {
		return nil, fault.New(fault.Internal, "it is no key with a certificate")
	}
	private, err := x509.ParsePKCS8PrivateKey(first.Bytes)
	if err != nil {
		return nil, err
	}
	cert, err := x509.ParseCertificate(second.Bytes)
	if err != nil {
		return nil, err
	}
	ec, ok := private.(*ecdsa.PrivateKey)
	if !ok || !ec.PublicKey.Equal(cert.PublicKey) {
		return nil, fault.New(fault.Internal, "the certificate is of another key")
	}
	return &key{ec, cert}, nil
}

// sign pushes a signature of a manifest, for the name and tag that the reference names.
func (s *Service) sign(ctx context.Context, repo *remote.Repository, d ocispec.Descriptor, r Reference, k *key) error {
	now := s.o.Now().Time
	target := ocispec.Descriptor{MediaType: d.MediaType, Digest: d.Digest, Size: d.Size,
		Annotations: map[string]string{noteFor: r.signedFor()}}
	raw, err := json.Marshal(payload{target})
	if err != nil {
		return err
	}
	local, err := signature.NewLocalSigner([]*x509.Certificate{k.cert}, k.private)
	if err != nil {
		return err
	}
	env, err := jws.NewEnvelope().Sign(&signature.SignRequest{Payload: signature.Payload{ContentType: payloadType, Content: raw},
		Signer: local, SigningTime: now, SigningScheme: signature.SigningSchemeX509, SigningAgent: "showhow"})
	if err != nil {
		return err
	}
	blob := content.NewDescriptorFromBytes(jws.MediaTypeEnvelope, env)
	config := content.NewDescriptorFromBytes(signatureType, ocispec.DescriptorEmptyJSON.Data)
	thumb := sha256.Sum256(k.cert.Raw)
	thumbs, err := json.Marshal([]string{hex.EncodeToString(thumb[:])})
	if err != nil {
		return err
	}
	subject := d
	subject.Annotations = nil
	raw, err = json.Marshal(ocispec.Manifest{Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: ocispec.MediaTypeImageManifest,
		Config: config, Layers: []ocispec.Descriptor{blob}, Subject: &subject, Annotations: map[string]string{
			noteThumbprints: string(thumbs), ocispec.AnnotationCreated: now.UTC().Format(time.RFC3339)}})
	if err != nil {
		return err
	}
	if err := repo.Blobs().Push(ctx, blob, bytes.NewReader(env)); err != nil {
		return err
	}
	there, err := repo.Blobs().Exists(ctx, config)
	if err == nil && !there {
		err = repo.Blobs().Push(ctx, config, bytes.NewReader(ocispec.DescriptorEmptyJSON.Data))
	}
	if err != nil {
		return err
	}
	return repo.Push(ctx, content.NewDescriptorFromBytes(ocispec.MediaTypeImageManifest, raw), bytes.NewReader(raw))
}

// signedFor is what a signature names: the path and the tag, so that a skill holds in a mirror under the same path.
func (r Reference) signedFor() string { return r.Repository + ":" + r.tag() }
