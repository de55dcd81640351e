package oci

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2/content"

	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// chain is a keychain in memory.
type chain struct {
	mu     sync.Mutex
	m      map[string]string
	locked bool // it deletes nothing
}

func (c *chain) Get(_ context.Context, name string) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.m[name]
	if !ok {
		return "", fault.New(fault.NotFound, "none")
	}
	return v, nil
}

func (c *chain) Set(_ context.Context, name, value string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.m[name] = value
	return nil
}

func (c *chain) Delete(ctx context.Context, name string) error {
	if c.locked {
		return fault.New(fault.AdapterUnavailable, "locked")
	}
	_, err := c.Get(ctx, name)
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.m, name)
	return err
}

// signing is a machine with a keychain.
func signing(t testing.TB) *machine {
	m := newMachine(t)
	m.Service.o.Keychain = &chain{m: map[string]string{}}
	return m
}

func (m *machine) fingerprint(t testing.TB) string {
	t.Helper()
	k, err := m.Signer(t.Context())
	must(t, err)
	return k.Signer
}

// A push is signed with a key of the keychain; a pull knows the signer, with the referrers API and without.
func TestSigned(t *testing.T) {
	for name, host := range map[string]func(t *testing.T) string{
		"with referrers": func(t *testing.T) string { return inMemory(t).host },
		"by the tag schema, in Debian's registry": func(t *testing.T) string {
			return debian(t, "")
		},
	} {
		t.Run(name, func(t *testing.T) {
			one, two := signing(t), newMachine(t)
			one.has(t, "sort", "Sort them.")
			ref := host(t) + "/team/sort:1.0"
			if k, err := one.Signer(t.Context()); err != nil || k.Signer != "" || !k.Available {
				t.Errorf("%+v %v", k, err)
			}
			pushed := one.push(t, "sort", ref)
			if pushed.Signer == "" || pushed.Signer != one.fingerprint(t) {
				t.Errorf("%+v", pushed)
			}
			k := two.installs(t, ref)
			if k.From.Signer != pushed.Signer {
				t.Errorf("signed by %q", k.From.Signer)
			}
			v, err := two.Verify(t.Context(), wire.SkillVerifyQuery{Reference: ref})
			must(t, err)
			if v.Signer != pushed.Signer || v.Expected != pushed.Signer || v.Yours || v.InstalledAs != "sort" || len(v.Signatures) != 1 ||
				v.Signatures[0].For != "team/sort:1.0" || v.Digest != pushed.Digest {
				t.Errorf("%+v", v)
			}
			if v, err = one.Verify(t.Context(), wire.SkillVerifyQuery{Reference: ref}); err != nil || !v.Yours {
				t.Errorf("%+v %v", v, err)
			}
			if again := one.push(t, "sort", ref); !again.AlreadyThere || again.Signer != pushed.Signer {
				t.Errorf("%+v", again)
			}
			if l, err := two.Search(t.Context(), wire.SkillSearchQuery{In: strings.TrimSuffix(ref, "team/sort:1.0")}); err != nil ||
				len(l.Items) != 1 || strings.Join(l.Items[0].Tags, " ") != "1.0" {
				t.Errorf("%+v %v", l, err) // the signature's tag is not one of the skill's
			}
		})
	}
}

// Whoever accepted the key that signed what is there is refused what another key signs, so a push says so before it happens.
func TestAPushByAnotherKeySaysSo(t *testing.T) {
	s, one, two := inMemory(t), signing(t), signing(t)
	for _, m := range []*machine{one, two} {
		m.has(t, "sort", "Sort them.")
	}
	one.push(t, "sort", s.host+"/sort:1.0")
	two.push(t, "sort", s.host+"/mine:1.0") // makes the key
	two.has(t, "sort", "Sort them by month.")
	first := one.fingerprint(t)
	for name, x := range map[string]struct {
		by       *machine
		ref      string
		unsigned bool
		want     string
	}{
		"the same tag":              {two, "/sort:1.0", false, first},
		"another tag":               {two, "/sort:1.1", false, first},
		"without a signature":       {one, "/sort:1.1", true, first},
		"by the same key":           {one, "/sort:1.1", false, ""},
		"to a repository of mine":   {two, "/mine:1.1", false, ""},
		"to a repository of no one": {two, "/new:1.0", false, ""},
	} {
		p, err := x.by.Preview(t.Context(), wire.SkillPushRequest{AbilityID: "sort", Reference: s.host + x.ref, Unsigned: x.unsigned})
		must(t, err)
		if got := strings.Join(p.OtherKeys, " "); got != x.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// What the registry shows beside the files is in the preview, all of it but the time.
func TestThePreviewHasEveryAnnotation(t *testing.T) {
	s, one := inMemory(t), newMachine(t)
	one.has(t, "sort", "Sort them.")
	p, err := one.Preview(t.Context(), wire.SkillPushRequest{AbilityID: "sort", Reference: s.host + "/sort:1.0"})
	must(t, err)
	one.push(t, "sort", s.host+"/sort:1.0")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+s.host+"/v2/sort/manifests/1.0", nil)
	must(t, err)
	r.Header.Set("Accept", ocispec.MediaTypeImageManifest)
	res, err := http.DefaultClient.Do(r)
	must(t, err)
	defer res.Body.Close()
	var m ocispec.Manifest
	must(t, json.NewDecoder(res.Body).Decode(&m))
	delete(m.Annotations, ocispec.AnnotationCreated)
	if len(m.Annotations) < 4 || !maps.Equal(m.Annotations, p.Annotations) {
		t.Errorf("%v\n%v", m.Annotations, p.Annotations)
	}
}

// A registry that lists no tags hides who signed them, and a push says that; a repository that is not there hides nothing.
func TestAPushSaysWhatItCouldNotRead(t *testing.T) {
	closed := false
	s := inMemory(t, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if closed && strings.HasSuffix(r.URL.Path, "/sort/tags/list") {
			http.Error(w, `{"errors":[{"code":"DENIED","message":"no"}]}`, http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
	one, two := signing(t), signing(t)
	for _, m := range []*machine{one, two} {
		m.has(t, "sort", "Sort them.")
	}
	one.push(t, "sort", s.host+"/sort:1.0")
	closed = true
	for ref, want := range map[string]bool{"/sort:1.1": true, "/sort:1.0": false, "/new:1.0": false} {
		p, err := two.Preview(t.Context(), wire.SkillPushRequest{AbilityID: "sort", Reference: s.host + ref})
		must(t, err)
		if p.KeysUnread != want {
			t.Errorf("%s: %v", ref, p.KeysUnread)
		}
	}
}

// What was pushed without a signature gets one when it is pushed again, and the same manifest stays.
func TestASignatureIsAdded(t *testing.T) {
	s := inMemory(t)
	one := signing(t)
	one.has(t, "sort", "Sort them.")
	ref := s.host + "/sort:1"
	q := wire.SkillPushRequest{AbilityID: "sort", Reference: ref, Unsigned: true}
	p, err := one.Preview(t.Context(), q)
	must(t, err)
	q.Seal = p.Seal
	plain, err := one.Push(t.Context(), q)
	must(t, err)
	if p.Signed || plain.Signer != "" {
		t.Errorf("%+v", plain)
	}
	out := one.push(t, "sort", ref)
	if out.AlreadyThere || out.Signer == "" || out.Digest != plain.Digest {
		t.Errorf("%+v", out)
	}
	got, err := newMachine(t).Pull(t.Context(), ref)
	must(t, err)
	if got.Signer != out.Signer {
		t.Errorf("%q", got.Signer)
	}
}

// A push signs what it would have written itself: not a manifest that somebody put there for the same files, which says
// more of them, or names a time that makes every later push an older one.
func TestAPushSignsNothingOfAnother(t *testing.T) {
	for name, x := range map[string]struct {
		key, value string
		ahead      bool // of the clock: nobody takes it
	}{
		"as approved":       {noteApproved, "false", false},
		"with another name": {ocispec.AnnotationTitle, "other", false},
		"with more":         {"org.example.more", "x", false},
		"made in 2999":      {ocispec.AnnotationCreated, "2999-01-01T00:00:00Z", true},
	} {
		t.Run(name, func(t *testing.T) {
			s, one := inMemory(t), signing(t)
			one.has(t, "sort", "Sort them.")
			ref := s.host + "/sort:1"
			first := one.push(t, "sort", ref)
			r, err := Parse(ref)
			must(t, err)
			repo := one.repository(r)
			_, m, _, err := one.manifest(t.Context(), repo, r)
			must(t, err)
			m.Annotations[x.key] = x.value
			raw, err := json.Marshal(m)
			must(t, err)
			d := content.NewDescriptorFromBytes(ocispec.MediaTypeImageManifest, raw)
			must(t, repo.PushReference(t.Context(), d, bytes.NewReader(raw), "1"))
			if x.ahead {
				_, err = newMachine(t).Pull(t.Context(), ref)
				if f := refused(t, err, fault.RegistryContent); f.Details["reason"] != "created" {
					t.Errorf("%v", f.Details)
				}
			}
			if out := one.push(t, "sort", ref); out.AlreadyThere || out.Digest == d.Digest.String() || out.Signer != first.Signer {
				t.Errorf("%+v signed the other manifest %s", out, d.Digest)
			}
			if all, err := one.signatures(t.Context(), repo, d, func([]signed) bool { return false }); err != nil || len(all) != 0 {
				t.Errorf("the other manifest has %d signatures, %v", len(all), err)
			}
		})
	}
}

// tampering is a registry with a signed skill that a machine has accepted, and what somebody then does to it.
type tampering struct {
	*served
	author, user *machine
	ref          string
	hide         func(r *http.Request) bool // what the registry no longer has
}

func tampered3(t *testing.T) *tampering {
	x := &tampering{author: signing(t), user: newMachine(t)}
	x.served = inMemory(t, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if x.hide != nil && x.hide(r) {
			http.NotFound(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
	x.ref = x.host + "/team/sort:1.0"
	x.author.later(1)
	x.author.has(t, "sort", "Sort them.")
	x.author.push(t, "sort", x.ref)
	x.user.installs(t, x.ref)
	return x
}

// referrers is a request for signatures: by the API, or by the tag schema.
func referrers(r *http.Request) bool {
	return strings.Contains(r.URL.Path, "/referrers/") || strings.Contains(r.URL.Path, "/manifests/sha256-")
}

// moves makes a tag lead to what another reference leads to, as whoever runs the registry can.
func (x *tampering) moves(t *testing.T, tag, to string) {
	t.Helper()
	r, err := Parse(to)
	must(t, err)
	repo := newMachine(t).repository(r)
	d, err := repo.Resolve(t.Context(), r.Reference.Reference)
	must(t, err)
	must(t, repo.Tag(t.Context(), d, tag))
}

// A third machine with a tampered registry notices, and is told what to do. (A changed layer: TestATamperedRegistry.)
func TestAThirdMachineNotices(t *testing.T) {
	for _, x := range []struct {
		name string
		do   func(t *testing.T, x *tampering)
		code fault.Code
		why  string // details.reason
	}{
		{"another signer", func(t *testing.T, x *tampering) {
			other := signing(t)
			other.later(2)
			other.has(t, "sort", "Send them elsewhere.")
			other.push(t, "sort", x.ref)
		}, fault.RegistryOtherSigner, ""},
		{"a missing referrer", func(_ *testing.T, x *tampering) {
			x.hide = referrers
		}, fault.RegistryUnsigned, ""},
		{"nobody signs it any more", func(t *testing.T, x *tampering) {
			other := newMachine(t)
			other.later(2)
			other.has(t, "sort", "Send them elsewhere.")
			other.push(t, "sort", x.ref)
		}, fault.RegistryUnsigned, ""},
		{"a changed tag", func(t *testing.T, x *tampering) {
			x.author.later(2)
			x.author.has(t, "sort", "An experiment.")
			x.author.push(t, "sort", x.host+"/team/sort:experiment")
			x.moves(t, "1.0", x.host+"/team/sort:experiment")
		}, fault.RegistrySignature, "tag"},
		{"another skill of the same signer under this name", func(t *testing.T, x *tampering) {
			x.author.later(2)
			x.author.has(t, "wipe", "Wipe them.")
			out := x.author.push(t, "wipe", x.host+"/team/wipe:1.0")
			x.copies(t, "team/wipe", "team/sort", out.Digest, "1.0")
		}, fault.RegistrySignature, "name"},
		{"a replayed old version", func(t *testing.T, x *tampering) {
			old := x.host + "/team/sort:1.0"
			r, err := Parse(old)
			must(t, err)
			d, err := x.author.repository(r).Resolve(t.Context(), "1.0")
			must(t, err)
			x.author.later(2)
			x.author.has(t, "sort", "Sort them better.")
			x.author.push(t, "sort", x.ref)
			x.user.installs(t, x.ref)
			must(t, x.author.repository(r).Tag(t.Context(), d, "1.0"))
		}, fault.RegistryOlder, ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			k := tampered3(t)
			x.do(t, k)
			_, err := k.user.Pull(t.Context(), k.ref)
			f := refused(t, err, x.code)
			if f.Hint == "" || x.why != "" && f.Details["reason"] != x.why {
				t.Errorf("%q %v", f.Hint, f.Details)
			}
			_, _, _, err = k.user.Fetch(t.Context(), wire.SkillImportSourceRequest{Kind: "registry", Updates: "sort"})
			refused(t, err, x.code)
			_, err = k.user.Verify(t.Context(), wire.SkillVerifyQuery{Reference: k.ref})
			refused(t, err, x.code)
		})
	}
}

// copies copies a signed skill to another repository, with its signature.
func (x *tampering) copies(t *testing.T, from, to, digest, tag string) {
	t.Helper()
	a, err := Parse(x.host + "/" + from + "@" + digest)
	must(t, err)
	b, err := Parse(x.host + "/" + to + ":" + tag)
	must(t, err)
	src, dst := x.author.repository(a), x.author.repository(b)
	d, err := src.Resolve(t.Context(), digest)
	must(t, err)
	must(t, copyGraph(t.Context(), src, dst, d))
	must(t, src.Referrers(t.Context(), ocispec.Descriptor{MediaType: d.MediaType, Digest: d.Digest, Size: d.Size}, signatureType,
		func(page []ocispec.Descriptor) error {
			for _, r := range page {
				if err := copyGraph(t.Context(), src, dst, r); err != nil {
					return err
				}
			}
			return nil
		}))
	must(t, dst.Tag(t.Context(), d, tag))
}

// What is refused can be accepted, by naming it: the other key, or that there is none. The lock file's signer must hold.
func TestWhatMayBeAccepted(t *testing.T) {
	k := tampered3(t)
	other := signing(t)
	other.later(2)
	other.has(t, "sort", "Sort them otherwise.")
	out := other.push(t, "sort", k.ref)
	fetch := func(q wire.SkillImportSourceRequest) (wire.ImportProvenance, error) {
		q.Kind, q.Reference = "registry", k.ref
		_, _, from, err := k.user.Fetch(t.Context(), q)
		return from, err
	}
	from, err := fetch(wire.SkillImportSourceRequest{Signer: out.Signer})
	if err != nil || from.Signer != out.Signer {
		t.Errorf("%+v %v", from, err)
	}
	_, err = fetch(wire.SkillImportSourceRequest{Signer: hex64(), Unsigned: true})
	if f := refused(t, err, fault.RegistryOtherSigner); f.Details["expected"] != hex64() {
		t.Errorf("%v", f.Details)
	}
	_, err = fetch(wire.SkillImportSourceRequest{Unsigned: true}) // a signature of another is no missing one
	refused(t, err, fault.RegistryOtherSigner)
	k.hide = referrers
	if from, err = fetch(wire.SkillImportSourceRequest{Unsigned: true}); err != nil || from.Signer != "" {
		t.Errorf("%+v %v", from, err)
	}
	_, err = fetch(wire.SkillImportSourceRequest{Signer: out.Signer, Digest: out.Digest})
	refused(t, err, fault.RegistryUnsigned)
	fresh := newMachine(t)
	_, err = fresh.Pull(t.Context(), k.ref)
	must(t, err)
	fresh.Service.o.RequireSignature = func() bool { return true }
	_, err = fresh.Pull(t.Context(), k.ref)
	refused(t, err, fault.RegistryUnsigned)
}

// A signature that somebody changed, or that is for another content, or expired, does not count.
func TestASignatureThatDoesNotHold(t *testing.T) {
	one := signing(t)
	one.has(t, "sort", "Sort them.")
	var env []byte
	edit := func(b []byte) []byte { env = b; return b }
	s := inMemory(t, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if r.Method != http.MethodPost && r.Method != http.MethodPut && r.Method != http.MethodPatch || !strings.Contains(r.URL.Path, "blobs") {
			next.ServeHTTP(w, r)
			return
		}
		b := readBody(t, r)
		if strings.Contains(string(b), "signature") && strings.Contains(string(b), "protected") {
			edit(b)
		}
		next.ServeHTTP(w, r)
	})
	out := one.push(t, "sort", s.host+"/sort:1")
	if env == nil {
		t.Fatal("no signature was pushed")
	}
	d := ocispec.Descriptor{MediaType: ocispec.MediaTypeImageManifest, Digest: asDigest(out.Digest), Size: sizeOf(t, one, s.host+"/sort:1")}
	other, longer := d, d
	other.Digest, longer.Size = asDigest("sha256:"+hex64()), d.Size+1
	now := time.Now()
	flip := func(key string) string { // one letter of a member of the envelope
		text := string(env)
		i := strings.Index(text, `"`+key+`":"`) + len(key) + 4 + 10
		c := byte('A')
		if text[i] == c {
			c = 'B'
		}
		return text[:i] + string(c) + text[i+1:]
	}
	for name, x := range map[string]struct {
		raw  string
		of   ocispec.Descriptor
		at   time.Time
		want string
	}{
		"as it was pushed":                 {string(env), d, now, ""},
		"a changed payload":                {flip("payload"), d, now, problemWrong},
		"a changed signature":              {flip("signature"), d, now, problemWrong},
		"a changed protected header":       {flip("protected"), d, now, problemWrong},
		"for another content":              {string(env), other, now, problemContent},
		"for a content of another size":    {string(env), longer, now, problemContent},
		"with a certificate that ran out":  {string(env), d, now.Add(keyLife + time.Hour), problemExpired},
		"no envelope":                      {"{", d, now, problemUnreadable},
		"an envelope without certificates": {`{"payload":"e30","protected":"e30","header":{},"signature":"e30"}`, d, now, problemWrong},
	} {
		if got := readSignature([]byte(x.raw), x.of, x.at); got.problem != x.want {
			t.Errorf("%s: %q, want %q", name, got.problem, x.want)
		}
	}
	_, err := newMachine(t).judge([]signed{{problem: problemWrong}}, Reference{}, demand{unsigned: true})
	refused(t, err, fault.RegistrySignature)
	two := []signed{{signer: "a"}, {signer: "b"}}
	if _, err := newMachine(t).judge(two, Reference{}, demand{}); !fault.Is(err, fault.RegistryOtherSigner) {
		t.Errorf("%v", err)
	}
	if got, err := newMachine(t).judge(two, Reference{}, demand{pinned: "b"}); err != nil || got != "b" {
		t.Errorf("%q %v", got, err)
	}
}

// The key is in the keychain alone, and one that cannot be read is said to be so.
func TestTheSigningKey(t *testing.T) {
	m := signing(t)
	k, err := m.madeSigner(t.Context())
	must(t, err)
	again, err := m.madeSigner(t.Context())
	must(t, err)
	if fingerprint(k.cert) != fingerprint(again.cert) {
		t.Error("it made two keys")
	}
	if n := len(k.cert.Subject.CommonName); n == 0 || strings.Contains(k.cert.Subject.String(), "@") {
		t.Errorf("it names %s", k.cert.Subject)
	}
	held := m.Service.o.Keychain.(*chain)
	held.locked = true
	if left := m.Forget(t.Context()); len(left) != 1 || left[0] != "showhow-registry, signing-key" {
		t.Errorf("%q", left)
	}
	held.locked = false
	if !m.Signs(t.Context()) {
		t.Error("it does not sign")
	}
	if left := m.Forget(t.Context()); len(left) != 0 || len(held.m) != 0 || m.Signs(t.Context()) {
		t.Errorf("%q, and %d entries are there", left, len(held.m))
	}
	if left := m.Forget(t.Context()); len(left) != 0 {
		t.Errorf("%q", left)
	}
	m.Service.o.Keychain = &chain{m: map[string]string{keyName: "no key"}}
	m.has(t, "sort", "Sort them.")
	_, err = m.Preview(t.Context(), wire.SkillPushRequest{AbilityID: "sort", Reference: inMemory(t).host + "/sort:1"})
	refused(t, err, fault.AdapterUnavailable)
}
