package oci

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/notaryproject/notation-core-go/signature/jws"
	"github.com/opencontainers/image-spec/specs-go"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2/content"

	"showhow/internal/fault"
)

// junk adds n signatures that are none to what a reference leads to, as anybody can who may write to the repository.
func junk(t *testing.T, m *machine, ref string, n int) {
	t.Helper()
	r, err := Parse(ref)
	must(t, err)
	repo := m.repository(r)
	d, err := repo.Resolve(t.Context(), r.Reference.Reference)
	must(t, err)
	d = ocispec.Descriptor{MediaType: d.MediaType, Digest: d.Digest, Size: d.Size}
	config := content.NewDescriptorFromBytes(signatureType, ocispec.DescriptorEmptyJSON.Data)
	must(t, repo.Blobs().Push(t.Context(), config, bytes.NewReader(ocispec.DescriptorEmptyJSON.Data)))
	for i := range n {
		env := fmt.Appendf(nil, `{"payload":"%d"}`, i)
		blob := content.NewDescriptorFromBytes(jws.MediaTypeEnvelope, env)
		must(t, repo.Blobs().Push(t.Context(), blob, bytes.NewReader(env)))
		raw, err := json.Marshal(ocispec.Manifest{Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: ocispec.MediaTypeImageManifest,
			Config: config, Layers: []ocispec.Descriptor{blob}, Subject: &d})
		must(t, err)
		must(t, repo.Push(t.Context(), content.NewDescriptorFromBytes(ocispec.MediaTypeImageManifest, raw), bytes.NewReader(raw)))
	}
}

// Signatures that are none hide no good one: it is found, or the answer is that there were too many.
func TestJunkHidesNoSignature(t *testing.T) {
	last := func(w http.ResponseWriter, r *http.Request, next http.Handler) { // junk comes first, whatever its digest
		if !strings.Contains(r.URL.Path, "/referrers/") {
			next.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(&goodLast{ResponseWriter: w}, r)
	}
	for _, n := range []int{40, maxSignatures + 20} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			s := inMemory(t, last)
			one, knows, fresh := signing(t), newMachine(t), newMachine(t)
			one.has(t, "sort", "Sort them.")
			ref := s.host + "/team/sort:1"
			one.push(t, "sort", ref)
			knows.installs(t, ref)
			junk(t, one, ref, n)
			for name, m := range map[string]*machine{"a machine that knows the key": knows, "another": fresh} {
				for _, w := range []wanted{{}, {unsigned: true}, {signer: one.fingerprint(t)}} {
					w.reference, w.checked = ref, true
					p, err := m.pull(t.Context(), w)
					if n > maxSignatures {
						refused(t, err, fault.RegistryTooMany)
						continue
					}
					must(t, err)
					if p.Signer != one.fingerprint(t) {
						t.Errorf("%s: signed by %q", name, p.Signer)
					}
				}
			}
			if again := one.push(t, "sort", ref); again.Signer != one.fingerprint(t) {
				t.Errorf("%+v", again)
			}
		})
	}
}

// goodLast moves the entries of a list of referrers that carry annotations, as real signatures do, to its end.
type goodLast struct{ http.ResponseWriter }

func (g *goodLast) Write(b []byte) (int, error) {
	var x ocispec.Index
	if json.Unmarshal(b, &x) != nil {
		return g.ResponseWriter.Write(b)
	}
	junk, good := []ocispec.Descriptor{}, []ocispec.Descriptor{}
	for _, m := range x.Manifests {
		if m.Annotations[noteThumbprints] == "" && m.Size < 800 {
			junk = append(junk, m)
		} else {
			good = append(good, m)
		}
	}
	x.Manifests = append(junk, good...)
	out, err := json.Marshal(x)
	if err != nil {
		return 0, err
	}
	_, err = g.ResponseWriter.Write(out)
	return len(b), err
}

// A signature that the registry lists and does not give, or gives as something else, hides no other one. One that it
// cannot give now is never an answer of "unsigned".
func TestABrokenSignatureHidesNone(t *testing.T) {
	for name, answer := range map[string]struct {
		status int
		code   fault.Code // for a machine that knows no key
	}{
		"refused":       {http.StatusForbidden, ""},
		"a bad request": {http.StatusBadRequest, ""},
		"gone":          {http.StatusGone, ""},
		"empty":         {http.StatusOK, ""},
		"not now":       {http.StatusServiceUnavailable, fault.RegistryUnreachable},
	} {
		t.Run(name, func(t *testing.T) {
			broken := ""
			s := inMemory(t, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
				if broken != "" && strings.HasSuffix(r.URL.Path, broken) {
					w.WriteHeader(answer.status)
					return
				}
				next.ServeHTTP(w, r)
			})
			one, knows := signing(t), newMachine(t)
			one.has(t, "sort", "Sort them.")
			ref := s.host + "/team/sort:1"
			one.push(t, "sort", ref)
			knows.installs(t, ref)
			junk(t, one, ref, 1)
			broken = content.NewDescriptorFromBytes("", []byte(`{"payload":"0"}`)).Digest.String()
			if p, err := knows.Pull(t.Context(), ref); err != nil || p.Signer != one.fingerprint(t) {
				t.Errorf("signed by %q, %v", p.Signer, err)
			}
			p, err := newMachine(t).Pull(t.Context(), ref)
			if answer.code != "" {
				refused(t, err, answer.code)
			} else if err != nil || p.Signer != one.fingerprint(t) {
				t.Errorf("signed by %q, %v", p.Signer, err)
			}
		})
	}
}
