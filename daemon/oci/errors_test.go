package oci

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"showhow/internal/fault"
)

// What a person looks at differs with why no registry answered, so the message does.
func TestWhyNoRegistryAnswers(t *testing.T) {
	m := newMachine(t)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }))
	t.Cleanup(site.Close)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := l.Addr().String()
	l.Close()
	_, refusal := m.Pull(t.Context(), nobody+"/team/sort:1")
	_, other := m.Pull(t.Context(), strings.TrimPrefix(site.URL, "http://")+"/team/sort:1")
	unknown := failed(&net.OpError{Op: "dial", Err: &net.DNSError{Name: "registry.example.invalid", IsNotFound: true}}, Reference{})
	seen := map[string]bool{}
	for said, err := range map[string]error{"nothing answers": refusal, "as a registry does": other, "there is no host": unknown} {
		f := fault.From(err)
		if f.Code != fault.RegistryUnreachable || !strings.Contains(f.Message, said) || f.Hint == "" || seen[f.Hint] {
			t.Errorf("%s: %s / %s (%v)", said, f.Message, f.Hint, errors.Unwrap(f))
		}
		seen[f.Hint] = true
	}
}

// A key that a person names and that did not sign is no key that they accepted.
func TestAKeyThatIsNamedOnly(t *testing.T) {
	s := newMachine(t).Service
	by := []signed{{signer: strings.Repeat("a", 64)}}
	_, err := s.judge(by, Reference{}, demand{signer: strings.Repeat("b", 64)})
	if f := fault.From(err); f.Code != fault.RegistryOtherSigner || !strings.Contains(f.Message, "that you named") {
		t.Errorf("%v", err)
	}
	_, err = s.judge(by, Reference{}, demand{pinned: strings.Repeat("b", 64)})
	if f := fault.From(err); f.Code != fault.RegistryOtherSigner || !strings.Contains(f.Message, "that you accepted") {
		t.Errorf("%v", err)
	}
}
