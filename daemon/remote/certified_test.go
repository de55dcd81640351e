//go:build !windows

package remote_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"testing"
	"time"

	"showhow/daemon/remote"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// A key that others on the computer can read is none: what it signs, they can sign.
func TestAKeyThatOthersCanReadIsRefused(t *testing.T) {
	x := begin(t)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	tmpl := &x509.Certificate{SerialNumber: big.NewInt(7), DNSNames: []string{"desk.example"}, NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, tmpl, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	cert, pemKey := filepath.Join(x.dir, "chain.pem"), filepath.Join(x.dir, "key.pem")
	for file, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, pemKey: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	on := wire.RemoteOn{Addresses: []string{"127.0.0.1:0"}, CertFile: cert, KeyFile: pemKey}
	for _, mode := range []os.FileMode{0o640, 0o604} {
		if err := os.Chmod(pemKey, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := x.s.On(t.Context(), on); !fault.Is(err, fault.InvalidRequest) {
			t.Errorf("mode %o: %v", mode, err)
		}
	}
	if !x.s.Listening() {
		t.Error("what listened before does not any more")
	}
	if err := os.Chmod(pemKey, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := x.s.On(t.Context(), on); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(der)
	c, err := remote.ReadCertified(cert, pemKey)
	if err != nil || c.SHA256 != hex.EncodeToString(sum[:]) || len(c.Names) != 1 || c.Names[0] != "desk.example" {
		t.Errorf("%+v %v", c, err)
	}
}
