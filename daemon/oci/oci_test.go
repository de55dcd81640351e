package oci

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/opencontainers/go-digest"
	"oras.land/oras-go/v2/content"

	"showhow/daemon/skill"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

func TestReferences(t *testing.T) {
	for raw, want := range map[string]string{
		"localhost:5000/a":                  "localhost:5000/a:latest",
		"oci://registry.example.com/t/a:1":  "registry.example.com/t/a:1",
		"[::1]:5000/a:1":                    "[::1]:5000/a:1",
		"LOCALHOST:5000/a:1":                "localhost:5000/a:1",
		"R.Example.COM./a:1":                "r.example.com/a:1",
		"r.example.com:443/a:1":             "r.example.com/a:1",
		"localhost:443/a:1":                 "localhost:443/a:1",
		"r.example.com/a@sha256:" + hex64(): "r.example.com/a@sha256:" + hex64(),
	} {
		r, err := Parse(raw)
		if err != nil || r.String() != want {
			t.Errorf("%s: %s %v", raw, r, err)
		}
	}
	for _, raw := range []string{"", "team/skill", "skill", "https://r.example.com/a", "r.example.com",
		"r.example.com/A:1", "r.example.com/a:b/c",
		"r.example.com/../a", "r.example.com/a@sha256:12", "u:p@r.example.com/a", strings.Repeat("a", 500)} {
		if r, err := Parse(raw); err == nil {
			t.Errorf("%q is %s", raw, r)
		}
	}
	for host, want := range map[string]bool{"localhost:5000/a": true, "127.0.0.1/a": true, "[::1]:5000/a": true,
		"r.example.com:443/a": false} {
		if r, err := Parse(host); err != nil || r.local() != want {
			t.Errorf("%s: %v %v", host, r.local(), err)
		}
	}
}

func hex64() string { return strings.Repeat("ab", 32) }

// What one machine pushes another pulls: every file, its mode, and the same trust hash; the layers' digests are the
// files' own.
func TestARoundTrip(t *testing.T) {
	for name, host := range map[string]func(t *testing.T) string{
		"in memory": func(t *testing.T) string { return inMemory(t).host },
		"Debian's":  func(t *testing.T) string { return debian(t, "") },
	} {
		t.Run(name, func(t *testing.T) {
			at := host(t)
			one, two := newMachine(t), newMachine(t)
			k := one.has(t, "sort-receipts", "Sort them.", skill.File{Path: "scripts/sort.sh", Mode: 0o755, Data: []byte("#!/bin/sh\nls\n")},
				skill.File{Path: "references/empty.md"}, skill.File{Path: "references/same.md", Data: []byte("#!/bin/sh\nls\n")})
			ref := at + "/team/sort-receipts:1.0"
			out := one.push(t, "sort-receipts", ref)
			if out.ContentHash != k.Bundle.Hash() || out.AlreadyThere || len(one.told) != 1 {
				t.Errorf("%+v %+v", out, one.told)
			}
			for _, from := range []string{ref, at + "/team/sort-receipts@" + out.Digest} {
				p, err := two.Pull(t.Context(), from)
				must(t, err)
				if p.Bundle.Hash() != k.Bundle.Hash() || p.Digest != out.Digest || p.Facts.Version != "1.0" || !p.Facts.Approved ||
					p.Facts.Origin != "learned" || p.Facts.Created.IsZero() {
					t.Errorf("%+v", p)
				}
			}
			if again := one.push(t, "sort-receipts", ref); !again.AlreadyThere || again.Digest != out.Digest || len(one.told) != 1 {
				t.Errorf("%+v", again)
			}
			_, err := two.Pull(t.Context(), at+"/team/sort-receipts:2.0")
			refused(t, err, fault.RegistryNotFound)
			_, err = two.Pull(t.Context(), at+"/team/other:1.0")
			refused(t, err, fault.RegistryNotFound)
		})
	}
}

// A push sends what the preview showed: another content, another tag's content or no seal at all is refused.
func TestAPushIsWhatWasSeen(t *testing.T) {
	s := inMemory(t)
	m := newMachine(t)
	m.has(t, "sort-receipts", "Sort them.")
	q := wire.SkillPushRequest{AbilityID: "sort-receipts", Reference: s.host + "/team/sort-receipts:1.0"}
	_, err := m.Push(t.Context(), q)
	refused(t, err, fault.ContentHashMismatch)
	p, err := m.Preview(t.Context(), q)
	must(t, err)
	q.Seal = p.Seal
	m.has(t, "sort-receipts", "Sort them otherwise.")
	_, err = m.Push(t.Context(), q)
	refused(t, err, fault.ContentHashMismatch)
	other := newMachine(t)
	other.has(t, "sort-receipts", "Somebody else was faster.")
	m.has(t, "sort-receipts", "Sort them.")
	other.push(t, "sort-receipts", q.Reference)
	_, err = m.Push(t.Context(), q)
	refused(t, err, fault.ContentHashMismatch)
	if p, err = m.Preview(t.Context(), q); err != nil || p.Replaces == nil || p.Replaces.ContentHash == p.ContentHash {
		t.Errorf("%+v %v", p.Replaces, err)
	}
	if n := s.asked("POST"); n != 2 { // a file and the empty configuration of the other machine
		t.Errorf("%d uploads", n)
	}
	_, err = m.Preview(t.Context(), wire.SkillPushRequest{AbilityID: "sort-receipts", Reference: s.host + "/a@sha256:" + hex64()})
	refused(t, err, fault.InvalidRequest)
}

// A registry that claims another content's trust hash does not keep a push from mending that.
func TestAClaimedTrustHashIsNotTheContent(t *testing.T) {
	s := inMemory(t)
	m, other := newMachine(t), newMachine(t)
	k := m.has(t, "sort", "Sort them.")
	ref := s.host + "/sort:1"
	b := other.has(t, "sort", "Send them elsewhere.").Bundle
	other.push(t, "sort", ref) // whose files are then there
	manifest, err := pack(b, Facts{Name: "sort", Version: "1", TrustHash: k.Bundle.Hash()})
	must(t, err)
	raw, err := json.Marshal(manifest)
	must(t, err)
	r, err := Parse(ref)
	must(t, err)
	d := content.NewDescriptorFromBytes(manifest.MediaType, raw)
	must(t, other.repository(r).PushReference(t.Context(), d, bytes.NewReader(raw), "1"))
	if out := m.push(t, "sort", ref); out.AlreadyThere {
		t.Error("it is said to be there")
	}
	p, err := newMachine(t).Pull(t.Context(), ref)
	must(t, err)
	if p.Bundle.Hash() != k.Bundle.Hash() {
		t.Error("another content is there")
	}
}

// Evidence, examples and the story of the demonstration stay here unless the person says otherwise, and a secret is
// never pushed.
func TestWhatLeaves(t *testing.T) {
	s := inMemory(t)
	m := newMachine(t)
	k := m.has(t, "sort-receipts",
		"See [the story](references/demonstration.md). Ask anna.berg@example.org. Look at https://bills.example.net/a. "+
			"Work in `/home/anna/bills`.",
		skill.File{Path: "references/demonstration.md", Data: []byte("She opened the bill of Anna.\n")},
		skill.File{Path: "examples/one.csv", Data: []byte("1,2\n")}, skill.File{Path: "references/evidence/shot.txt", Data: []byte("x\n")},
		skill.File{Path: skill.TriggerTestFile, Data: []byte(`{"schema_version":1,"skill":"sort-receipts","positives":["sort my bills"],
			"negatives":["pay my bills"]}`)},
		skill.File{Path: "scripts/sort.sh", Mode: 0o755, Data: []byte("#!/bin/sh\nsort -k2 \"$1\"\n")})
	q := wire.SkillPushRequest{AbilityID: "sort-receipts", Reference: s.host + "/a:1"}
	p, err := m.Preview(t.Context(), q)
	must(t, err)
	var paths, left []string
	for _, f := range p.Files {
		paths = append(paths, f.Path)
	}
	for _, f := range p.LeftOut {
		left = append(left, f.Path+" "+f.Why)
	}
	if got := strings.Join(paths, " "); got != "SKILL.md references/demonstration.md scripts/sort.sh "+skill.TriggerTestFile {
		t.Errorf("files: %s", got)
	}
	if got := strings.Join(left, ", "); got != "examples/one.csv examples, "+
		"references/demonstration.md demonstration, references/evidence/shot.txt evidence" {
		t.Errorf("left out: %s", got)
	}
	if strings.Join(p.Sites, " ") != "bills.example.net" || strings.Join(p.Sentences, " ") != "sort my bills" {
		t.Errorf("sites %v, sentences %v", p.Sites, p.Sentences)
	}
	if strings.Join(p.NotFor, " ") != "pay my bills" || strings.Join(p.Asks.Tools, " ") != "shell" ||
		strings.Join(p.Asks.Domains, " ") != "bills.example.net" {
		t.Errorf("not for %v, asks for %+v", p.NotFor, p.Asks)
	}
	if len(p.Personal) != 2 || p.Personal[0].Text != "anna.berg@example.org" || p.Personal[0].Line != 8 || p.Blocked ||
		p.Personal[1].Text != "/home/anna" || p.Personal[1].Kind != "home_folder" {
		t.Errorf("%+v", p.Personal)
	}
	if p.ContentHash == k.Bundle.Hash() || p.OwnHash != k.Bundle.Hash() {
		t.Errorf("%s %s", p.ContentHash, p.OwnHash)
	}
	m.push(t, "sort-receipts", q.Reference)
	got, err := newMachine(t).Pull(t.Context(), q.Reference)
	must(t, err)
	if got.Bundle.Hash() != p.ContentHash || strings.Contains(string(got.Bundle.File("references/demonstration.md").Data), "Anna") ||
		got.Facts.Approved {
		t.Errorf("%+v", got.Facts)
	}
	q.WithExamples = true
	if p, err = m.Preview(t.Context(), q); err != nil || len(p.LeftOut) != 0 || len(p.Files) != 6 || p.ContentHash != p.OwnHash {
		t.Errorf("%+v %v", p.LeftOut, err)
	}
	m.has(t, "leaky", "Log in with password=hunter2-Xq9!kd and go.", skill.File{Path: "scripts/a.sh", Data: []byte(
		"curl -H 'Authorization: Bearer ghp_" + strings.Repeat("a1B2", 9) + "' x\n")})
	q = wire.SkillPushRequest{AbilityID: "leaky", Reference: s.host + "/leaky:1"}
	if p, err = m.Preview(t.Context(), q); err != nil || !p.Blocked {
		t.Fatalf("%+v %v", p.Personal, err)
	}
	for _, d := range p.Personal {
		if d.Secret && d.Text != "" {
			t.Errorf("a secret is shown: %+v", d)
		}
	}
	q.Seal = p.Seal
	_, err = m.Push(t.Context(), q)
	refused(t, err, fault.SkillPushRefused)
	if s.asked("/leaky/blobs") != 0 {
		t.Error("something of it left")
	}
}

// A password comes from docker's configuration or its credential helper, goes to its own host alone, and is in no error.
func TestSigningIn(t *testing.T) {
	if _, err := exec.LookPath("docker-registry"); err != nil {
		t.Skip("docker-registry is not installed (build/setup.sh test)")
	}
	const password = "correct-horse-7"
	host := debian(t, "anna:"+bcrypt+"\n")
	m := newMachine(t)
	m.has(t, "sort-receipts", "Sort them.")
	ref := host + "/team/sort-receipts:1"
	q := wire.SkillPushRequest{AbilityID: "sort-receipts", Reference: ref}
	_, err := m.Preview(t.Context(), q)
	refused(t, err, fault.RegistrySignIn)
	sign := func(name, secret string) {
		t.Helper()
		b, _ := json.Marshal(map[string]any{"auths": map[string]any{host: map[string]string{
			"auth": base64.StdEncoding.EncodeToString([]byte(name + ":" + secret))}}})
		must(t, os.WriteFile(filepath.Join(m.dir, "config.json"), b, 0o600))
	}
	sign("anna", "wrong-"+password)
	_, err = m.Preview(t.Context(), q)
	if f := refused(t, err, fault.RegistrySignIn); strings.Contains(fmt.Sprint(f, f.Unwrap(), f.Details), password) {
		t.Errorf("the password is in %v", f.Unwrap())
	}
	sign("anna", password)
	m.push(t, "sort-receipts", ref)
	helper := t.TempDir()
	must(t, os.WriteFile(filepath.Join(helper, "docker-credential-test"), []byte("#!/bin/sh\ncat >/dev/null\n"+
		`echo '{"Username":"anna","Secret":"`+password+`"}'`+"\n"), 0o755))
	t.Setenv("PATH", helper+":"+os.Getenv("PATH"))
	two := newMachine(t)
	must(t, os.WriteFile(filepath.Join(two.dir, "config.json"), []byte(`{"credHelpers":{"`+host+`":"test"}}`), 0o600))
	if _, err := two.Pull(t.Context(), ref); err != nil {
		t.Error(err)
	}
	must(t, os.WriteFile(filepath.Join(two.dir, "config.json"), []byte(`{"auths": `), 0o600))
	_, err = newFrom(two).Pull(t.Context(), ref)
	refused(t, err, fault.RegistrySignIn)
}

// bcrypt is the hash of correct-horse-7.
const bcrypt = "$2a$04$2K20c1MP0eWjkUD13r5nX.PKaBk4ip4xK63Oh.CrHIRAioIePESyO"

func newFrom(m *machine) *Service { return New(m.o) }

// A registry that changes something on the way is noticed, and says so by its reason.
func TestATamperedRegistry(t *testing.T) {
	change := func(w http.ResponseWriter, r *http.Request, next http.Handler, edit func([]byte) []byte) {
		rec := &recorder{header: http.Header{}, code: 200}
		next.ServeHTTP(rec, r)
		body := edit(rec.body)
		if body == nil {
			http.NotFound(w, r)
			return
		}
		for k, v := range rec.header {
			w.Header()[k] = v
		}
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.WriteHeader(rec.code)
		w.Write(body)
	}
	swap := func(old, new string) func([]byte) []byte {
		return func(b []byte) []byte { return []byte(strings.ReplaceAll(string(b), old, new)) }
	}
	for name, x := range map[string]struct {
		on   string
		edit func([]byte) []byte
		code fault.Code
	}{
		"a changed layer of the same length":    {"/blobs/", swap("Sort them", "Send them"), fault.RegistryContent},
		"a longer layer":                        {"/blobs/", func(b []byte) []byte { return append(b, "more"...) }, fault.RegistryContent},
		"a shorter layer":                       {"/blobs/", func(b []byte) []byte { return b[1:] }, fault.RegistryContent},
		"a missing layer":                       {"/blobs/", func([]byte) []byte { return nil }, fault.RegistryContent},
		"a broken list of signatures":           {"/referrers/", func([]byte) []byte { return []byte("{]") }, fault.RegistryContent},
		"a list of signatures of another kind":  {"/referrers/", func([]byte) []byte { return []byte(`{"manifests":1}`) }, fault.RegistryContent},
		"a changed manifest":                    {"/manifests/", swap("sort-receipts", "sort-passwords"), fault.RegistryContent},
		"a changed manifest of the same length": {"/manifests/", swap("\"1.0\"", "\"9.0\""), fault.RegistryContent},
		"a changed path in a manifest":          {"/manifests/", swap("SKILL.md", "SKILL.mb"), fault.RegistryContent},
	} {
		t.Run(name, func(t *testing.T) {
			on := false
			s := inMemory(t, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
				if on && r.Method == http.MethodGet && strings.Contains(r.URL.Path, x.on) {
					change(w, r, next, x.edit)
					return
				}
				next.ServeHTTP(w, r)
			})
			m := newMachine(t)
			m.has(t, "sort-receipts", "Sort them.")
			out := m.push(t, "sort-receipts", s.host+"/a:1.0")
			on = true
			_, err := newMachine(t).Pull(t.Context(), s.host+"/a@"+out.Digest)
			refused(t, err, x.code)
		})
	}
}

type recorder struct {
	header http.Header
	code   int
	body   []byte
}

func (r *recorder) Header() http.Header         { return r.header }
func (r *recorder) WriteHeader(code int)        { r.code = code }
func (r *recorder) Write(b []byte) (int, error) { r.body = append(r.body, b...); return len(b), nil }

// What is too large is refused before any of it is read: one file, all together, too many, or a manifest without end.
func TestAPullOfTenGigabytes(t *testing.T) {
	layer := func(path string, size int64) string {
		return fmt.Sprintf(`{"mediaType":%q,"digest":%q,"size":%d,"annotations":{"org.opencontainers.image.title":%q}}`, FileType,
			digest.FromString(path), size, path)
	}
	manifest := func(layers ...string) string {
		return fmt.Sprintf(`{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","artifactType":%q,"layers":[%s]}`,
			ArtifactType, strings.Join(layers, ","))
	}
	var many, much []string
	for i := range 2001 {
		many = append(many, layer(fmt.Sprint("a", i), 1))
	}
	for i := range 11 {
		much = append(much, layer(fmt.Sprint("a", i), 1<<20))
	}
	for name, x := range map[string]struct {
		body string
		code fault.Code
	}{
		"one file of 10 GB":  {manifest(layer("SKILL.md", 10<<30)), fault.SkillImportFileTooLarge},
		"11 MB together":     {manifest(much...), fault.SkillImportFileTooLarge},
		"2001 files":         {manifest(many...), fault.SkillImportFileTooLarge},
		"a negative size":    {manifest(layer("SKILL.md", -1)), fault.RegistryContent},
		"a path that leaves": {manifest(layer("../x", 4)), fault.SkillArchiveRefused},
		"an image":           {strings.Replace(manifest(layer("SKILL.md", 1)), ArtifactType, "application/x", 1), fault.RegistryContent},
		"a manifest of 5 MB": {manifest(layer("SKILL.md", 1)) + strings.Repeat(" ", 5<<20), fault.SkillImportFileTooLarge},
		"no JSON":            {"{", fault.RegistryContent},
		"a layer at another host": {strings.Replace(manifest(layer("SKILL.md", 1)), `"size"`, `"urls":["http://x"],"size"`, 1),
			fault.RegistryContent},
	} {
		t.Run(name, func(t *testing.T) {
			s := inMemory(t, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
				if strings.Contains(r.URL.Path, "/blobs/") {
					if name != "a path that leaves" {
						t.Errorf("%s is asked for", r.URL.Path)
					}
					w.Write([]byte("../x"))
					return
				}
				w.Header().Set("Content-Type", "application/vnd.oci.image.manifest.v1+json")
				w.Header().Set("Docker-Content-Digest", digest.FromString(x.body).String())
				w.Header().Set("Content-Length", strconv.Itoa(len(x.body)))
				fmt.Fprint(w, x.body)
			})
			_, err := newMachine(t).Pull(t.Context(), s.host+"/a:1")
			refused(t, err, x.code)
		})
	}
}

// A registry leads nobody to this machine, to its local link, to a metadata address or away from TLS; one on this
// machine that the person named leads nowhere else on it.
func TestWhereARegistryLeads(t *testing.T) {
	inside := inMemory(t) // a service of this machine that nobody named
	for name, to := range map[string]string{
		"another service of this machine": "http://" + inside.host,
		"by its name":                     "http://localhost:" + inside.host[strings.LastIndexByte(inside.host, ':')+1:],
		"the metadata service":            "https://169.254.169.254",
		"mapped":                          "https://[::ffff:169.254.169.254]", "nat64": "https://[64:ff9b::a9fe:a9fe]",
		"without TLS": "http://registry.example.com", "a file": "file:///etc/passwd",
	} {
		t.Run(name, func(t *testing.T) {
			s := inMemory(t, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
				http.Redirect(w, r, to+r.URL.Path, http.StatusTemporaryRedirect)
			})
			_, err := newMachine(t).Pull(t.Context(), s.host+"/a:1")
			if !fault.Is(err, fault.RegistryAddress) && !(name == "a file" && err != nil) {
				t.Errorf("%v", err)
			}
			token := inMemory(t, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
				w.Header().Set("Www-Authenticate", `Bearer realm="`+to+`/token",service="x"`)
				w.WriteHeader(http.StatusUnauthorized)
			})
			_, err = newMachine(t).Pull(t.Context(), token.host+"/a:1")
			if !fault.Is(err, fault.RegistryAddress) && !(name == "a file" && err != nil) {
				t.Errorf("a token: %v", err)
			}
			upload := inMemory(t, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
				if r.Method != http.MethodPost {
					next.ServeHTTP(w, r)
					return
				}
				w.Header().Set("Location", to+"/v2/a/blobs/uploads/1")
				w.WriteHeader(http.StatusAccepted)
			})
			m := newMachine(t)
			m.has(t, "sort", "Sort them.")
			q := wire.SkillPushRequest{AbilityID: "sort", Reference: upload.host + "/a:1", Unsigned: true}
			p, err := m.Preview(t.Context(), q)
			must(t, err)
			q.Seal = p.Seal
			if _, err := m.Push(t.Context(), q); err == nil {
				t.Error("a file was sent there")
			}
		})
	}
	if len(inside.seen) > 0 {
		t.Errorf("it was asked: %v", inside.seen)
	}
	// A public name that resolves to this machine is not the registry on this machine.
	_, err := newMachine(t).Pull(t.Context(), "localhost.localdomain:"+inside.host[strings.LastIndexByte(inside.host, ':')+1:]+"/a:1")
	if err == nil || len(inside.seen) > 0 {
		t.Errorf("%v, asked %v", err, inside.seen)
	}
}
