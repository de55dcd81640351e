package oci

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// notation runs the Notary Project's own tool, with a configuration of its own.
type notation struct{ program, config string }

func (n notation) run(args ...string) (string, error) {
	cmd := exec.Command(n.program, args...)
	cmd.Env = append(os.Environ(), "XDG_CONFIG_HOME="+n.config, "XDG_CACHE_HOME="+n.config, "DOCKER_CONFIG="+n.config)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (n notation) must(t *testing.T, args ...string) string {
	t.Helper()
	out, err := n.run(args...)
	if err != nil {
		t.Fatalf("notation %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// What Showhow signs, notation verifies, and the other way round: the same specification, read by two who share no code
// above the envelope. It needs the program (docs/registries.md says which version was tried).
func TestNotation(t *testing.T) {
	program, err := exec.LookPath("notation")
	if err != nil {
		t.Skip("notation is not on the PATH")
	}
	for name, host := range map[string]func() string{
		"with referrers": func() string { return inMemory(t).host },
		"by the tag schema, in Debian's registry": func() string { return debian(t, "") },
	} {
		t.Run(name, func(t *testing.T) {
			n := notation{program, t.TempDir()}
			one := signing(t)
			one.has(t, "sort", "Sort them.")
			at := host() + "/team/sort"
			pushed := one.push(t, "sort", at+":1.0")
			exact := at + "@" + pushed.Digest

			k, err := one.signer(t.Context())
			must(t, err)
			cert := filepath.Join(n.config, "showhow.pem")
			must(t, os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: k.cert.Raw}), 0o600))
			n.must(t, "cert", "add", "--type", "ca", "--store", "showhow", cert)
			policy := filepath.Join(n.config, "policy.json")
			must(t, os.WriteFile(policy, []byte(`{"version":"1.0","trustPolicies":[{"name":"all","registryScopes":["*"],`+
				`"signatureVerification":{"level":"strict"},"trustStores":["ca:showhow"],"trustedIdentities":["*"]}]}`), 0o600))
			n.must(t, "policy", "import", policy)
			if out := n.must(t, "inspect", "--insecure-registry", exact); !strings.Contains(out, "showhow") {
				t.Errorf("inspect:\n%s", out)
			}
			n.must(t, "verify", "--insecure-registry", exact)

			n.must(t, "cert", "generate-test", "--default", "example.com")
			other := newMachine(t)
			other.has(t, "bill", "Bill them.")
			plain := other.push(t, "bill", strings.Replace(at, "/sort", "/bill", 1)+":1.0")
			ref := strings.Replace(at, "/sort", "/bill", 1)
			if out, err := n.run("verify", "--insecure-registry", ref+"@"+plain.Digest); err == nil {
				t.Errorf("an unsigned one was verified:\n%s", out)
			}
			n.must(t, "sign", "--insecure-registry", ref+"@"+plain.Digest)
			v, err := newMachine(t).Verify(t.Context(), wire.SkillVerifyQuery{Reference: ref + ":1.0"})
			must(t, err)
			made, err := filepath.Glob(filepath.Join(n.config, "notation", "localkeys", "*.crt"))
			must(t, err)
			if len(made) != 1 {
				t.Fatalf("%q", made)
			}
			raw, err := os.ReadFile(made[0])
			must(t, err)
			if want := fingerprintOf(t, raw); v.Signer != want || len(v.Signatures) != 1 || v.Signatures[0].Problem != "" {
				t.Errorf("%+v, want the signer %s", v, want)
			}

			cose := newMachine(t)
			cose.has(t, "list", "List them.")
			at = strings.Replace(at, "/sort", "/list", 1)
			third := cose.push(t, "list", at+":1.0")
			n.must(t, "sign", "--insecure-registry", "--signature-format", "cose", at+"@"+third.Digest)
			_, err = newMachine(t).Pull(t.Context(), at+":1.0")
			if f := refused(t, err, fault.RegistrySignature); f.Details["reason"] != problemUnreadable {
				t.Errorf("%v", f.Details)
			}
		})
	}
}

// fingerprintOf is the fingerprint of the key of a certificate file.
func fingerprintOf(t *testing.T, text []byte) string {
	t.Helper()
	b, _ := pem.Decode(bytes.TrimSpace(text))
	if b == nil {
		t.Fatal("no certificate")
	}
	c, err := x509.ParseCertificate(b.Bytes)
	must(t, err)
	return fingerprint(c)
}
