//go:build !windows

package remote_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"showhow/daemon/remote"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// certified writes a certificate for 127.0.0.1 and its key.
func (x *stand) certified(serial int64) (der []byte, cert, key string) {
	x.t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		x.t.Fatal(err)
	}
	tmpl := &x509.Certificate{SerialNumber: big.NewInt(serial), DNSNames: []string{"desk.example"}, NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	if der, err = x509.CreateCertificate(rand.Reader, tmpl, tmpl, &k.PublicKey, k); err != nil {
		x.t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(k)
	if err != nil {
		x.t.Fatal(err)
	}
	cert, key = filepath.Join(x.dir, "chain.pem"), filepath.Join(x.dir, "key.pem")
	for file, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			x.t.Fatal(err)
		}
	}
	return der, cert, key
}

// With a certificate, callers speak TLS 1.2 or later and nothing else; one that was renewed in its file is taken without a
// restart, and while its file is half written the old one serves.
func TestCallersSpeakTLS(t *testing.T) {
	x := begin(t)
	der, cert, key := x.certified(7)
	on, err := x.s.On(t.Context(), wire.RemoteOn{Addresses: []string{"127.0.0.1:0"}, CertFile: cert, KeyFile: key})
	if err != nil || !strings.HasPrefix(on.URL, "https://127.0.0.1:") {
		t.Fatalf("%s %v", on.URL, err)
	}
	pool := x509.NewCertPool()
	trust := func(der []byte) {
		c, err := x509.ParseCertificate(der)
		if err != nil {
			t.Fatal(err)
		}
		pool.AddCert(c)
	}
	trust(der)
	// health asks on a connection of its own, and returns the serial number of who answers.
	health := func(c *tls.Config) (serial int64, issuer string, err error) {
		c.RootCAs = pool
		tr := &http.Transport{TLSClientConfig: c, DisableKeepAlives: true}
		defer tr.CloseIdleConnections()
		res, err := (&http.Client{Transport: tr}).Get(on.URL + "/.well-known/oauth-authorization-server")
		if err != nil {
			return 0, "", err
		}
		defer res.Body.Close()
		var m struct {
			Issuer string `json:"issuer"`
		}
		err = json.NewDecoder(res.Body).Decode(&m)
		return res.TLS.PeerCertificates[0].SerialNumber.Int64(), m.Issuer, err
	}
	if serial, issuer, err := health(&tls.Config{}); err != nil || serial != 7 || issuer != on.URL {
		t.Errorf("%d %s %v", serial, issuer, err)
	}
	if _, _, err := health(&tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}); err == nil {
		t.Error("TLS 1.1 is spoken")
	}
	plain := strings.Replace(on.URL, "https", "http", 1)
	a := x.do("POST", plain+"/oauth/register", "application/json", "{}")
	if a.status != http.StatusBadRequest || strings.Contains(a.body, "{") {
		t.Errorf("without TLS: %d %s", a.status, a.body)
	}
	later := time.Now().Add(time.Minute)
	for _, half := range []string{"", "-----BEGIN CERTIFICATE-----\nAAAA"} {
		if err := os.WriteFile(cert, []byte(half), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(cert, later, later); err != nil {
			t.Fatal(err)
		}
		if serial, _, err := health(&tls.Config{}); err != nil || serial != 7 {
			t.Errorf("half written: %d %v", serial, err)
		}
	}
	der, _, _ = x.certified(8)
	trust(der)
	later = later.Add(time.Minute)
	if err := os.Chtimes(cert, later, later); err != nil {
		t.Fatal(err)
	}
	if serial, _, err := health(&tls.Config{}); err != nil || serial != 8 {
		t.Errorf("renewed: %d %v", serial, err)
	}
}

// A key that others on the computer can read is none: what it signs, they can sign.
func TestAKeyThatOthersCanReadIsRefused(t *testing.T) {
	x := begin(t)
	der, cert, pemKey := x.certified(7)
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
	if err != nil || c.SHA256 != hex.EncodeToString(sum[:]) || len(c.Names) != 2 || c.Names[0] != "desk.example" {
		t.Errorf("%+v %v", c, err)
	}
}
