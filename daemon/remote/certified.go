package remote

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"os"

	"showhow/internal/fault"
)

// Certified is what a person is told about a certificate before it is used.
type Certified struct {
	SHA256 string   // of the certificate itself
	Names  []string // that it is for
}

// ReadCertified reads a certificate and its key, and refuses a key that others could have read.
func ReadCertified(cert, key string) (c Certified, err error) {
	no := func(err error, what, hint string) (Certified, error) {
		if err == nil {
			return Certified{}, fault.New(fault.InvalidRequest, what).WithHint(hint)
		}
		return Certified{}, fault.Wrap(err, fault.InvalidRequest, what).WithHint(hint)
	}
	st, err := os.Stat(key)
	if err != nil {
		return no(err, "the key file cannot be read", "name a PEM file that you can read: --key FILE")
	}
	if !st.Mode().IsRegular() || !ownFile(st) {
		return no(nil, "the key file is not yours alone", "it must be a file of yours that neither its group nor others can read: chmod 600 "+key)
	}
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return no(err, "the certificate and its key cannot be used", "both are PEM files that you can read, and belong together")
	}
	leaf := pair.Leaf
	if leaf == nil {
		if leaf, err = x509.ParseCertificate(pair.Certificate[0]); err != nil {
			return no(err, "the certificate cannot be read", "name a PEM file that has it first: --cert FILE")
		}
	}
	sum := sha256.Sum256(leaf.Raw)
	c.SHA256, c.Names = hex.EncodeToString(sum[:]), append(c.Names, leaf.DNSNames...)
	for _, ip := range leaf.IPAddresses {
		c.Names = append(c.Names, ip.String())
	}
	return c, nil
}
