package oci

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"showhow/daemon/skill"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// installs makes the machine have what a reference leads to, as its person approved it.
func (m *machine) installs(t testing.TB, ref string) Installed {
	t.Helper()
	return m.installsAs(t, wanted{reference: ref, checked: true})
}

func (m *machine) installsAs(t testing.TB, w wanted) Installed {
	t.Helper()
	p, err := m.pull(t.Context(), w)
	must(t, err)
	k := Installed{AbilityID: "id-" + p.Bundle.Name, Slug: p.Bundle.Name, Approved: true,
		ApprovedHash: p.Bundle.Hash(), From: p.provenance()}
	m.skills[k.AbilityID] = Shareable{AbilityID: k.AbilityID, Revision: 1, Origin: "imported", Bundle: p.Bundle}
	m.skills[k.Slug] = m.skills[k.AbilityID]
	m.installed = slices.DeleteFunc(m.installed, func(x Installed) bool { return x.AbilityID == k.AbilityID })
	m.installed = append(m.installed, k)
	return k
}

// changes edits a file of an installed skill, approved by its person.
func (m *machine) changes(t testing.TB, k Installed, path, text string) {
	t.Helper()
	s := m.skills[k.AbilityID]
	files := slices.DeleteFunc(slices.Clone(s.Bundle.Files), func(f skill.File) bool { return f.Path == path })
	b, err := skill.New(s.Bundle.Name, append(files, skill.File{Path: path, Mode: 0o644, Data: []byte(text)}))
	must(t, err)
	s.Bundle = b
	m.skills[k.AbilityID], m.skills[k.Slug] = s, s
	for i := range m.installed {
		if m.installed[i].AbilityID == k.AbilityID {
			m.installed[i].ApprovedHash = b.Hash()
		}
	}
}

func (m *machine) stateOfOne(t testing.TB) wire.SkillOutdated {
	t.Helper()
	l, err := m.Outdated(t.Context(), "", false)
	must(t, err)
	if len(l.Items) != 1 {
		t.Fatalf("%+v", l.Items)
	}
	return l.Items[0]
}

// A skill that a connector offered is none of a registry, whatever its address looks like.
func TestASkillOfAConnector(t *testing.T) {
	s, m := inMemory(t), newMachine(t)
	m.installed = []Installed{{AbilityID: "id-sort", Slug: "sort", Approved: true, ApprovedHash: hex64(),
		From: wire.ImportProvenance{Kind: "connector", ConnectorID: "mail", Reference: s.host + "/team/sort:1", Digest: "x"}}}
	l, err := m.Outdated(t.Context(), "", false)
	if err != nil || len(l.Items) != 0 {
		t.Errorf("%+v %v", l.Items, err)
	}
	_, err = m.Outdated(t.Context(), "sort", false)
	refused(t, err, fault.NotFound)
	_, _, _, err = m.Fetch(t.Context(), wire.SkillImportSourceRequest{Kind: "registry", Updates: "sort"})
	refused(t, err, fault.NotFound)
	if len(s.seen) > 0 {
		t.Errorf("asked %v", s.seen)
	}
}

// later makes the machine's clock later by some hours.
func (m *machine) later(hours int) {
	at := clock.At(time.Date(2026, 3, 1, hours, 0, 0, 0, time.UTC))
	m.Service.o.Now = func() clock.Time { return at }
}

// A tag that is listed and leads nowhere hides no version below it.
func TestATagThatLeadsNowhere(t *testing.T) {
	listed := `["1.0","1.1","99.0"]`
	s := inMemory(t, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if strings.HasSuffix(r.URL.Path, "/tags/list") {
			fmt.Fprint(w, `{"name":"team/sort","tags":`+listed+`}`)
			return
		}
		next.ServeHTTP(w, r)
	})
	one, two := newMachine(t), newMachine(t)
	one.later(1)
	one.has(t, "sort", "First.")
	one.push(t, "sort", s.host+"/team/sort:1.0")
	two.installs(t, s.host+"/team/sort:1.0")
	one.later(2)
	one.has(t, "sort", "Second.")
	second := one.push(t, "sort", s.host+"/team/sort:1.1")
	if x := two.stateOfOne(t); x.State != "newer" || x.Available.Digest != second.Digest {
		t.Errorf("%+v", x)
	}
	l, err := two.Search(t.Context(), wire.SkillSearchQuery{In: s.host + "/team/sort"})
	if err != nil || len(l.Items) != 1 || l.Items[0].Digest != second.Digest {
		t.Errorf("%+v %v", l, err)
	}
	listed = `["1.0"`
	for i := range 20 {
		listed += fmt.Sprintf(`,"%d.0"`, 50+i)
	}
	listed += `]`
	if x := two.stateOfOne(t); x.State != "current" {
		t.Errorf("%+v", x)
	}
	listed = `["1.0","99.0"]`
	if x := two.stateOfOne(t); x.State != "current" {
		t.Errorf("%+v", x)
	}
}

func TestOutdated(t *testing.T) {
	s := inMemory(t)
	one, two := newMachine(t), newMachine(t)
	one.later(1)
	one.has(t, "sort", "First.")
	one.push(t, "sort", s.host+"/team/sort:1.0")
	first := one.push(t, "sort", s.host+"/team/sort:latest")
	two.installs(t, s.host+"/team/sort:1.0")
	if x := two.stateOfOne(t); x.State != "current" || x.Available != nil || x.ChangedHere {
		t.Errorf("%+v", x)
	}
	one.later(2)
	one.has(t, "sort", "Second.")
	second := one.push(t, "sort", s.host+"/team/sort:1.10")
	one.push(t, "sort", s.host+"/team/sort:notes")
	if x := two.stateOfOne(t); x.State != "newer" || x.Available.Reference != s.host+"/team/sort:1.10" || x.Available.Digest != second.Digest {
		t.Errorf("%+v", x)
	}
	two.installs(t, s.host+"/team/sort:latest")
	if x := two.stateOfOne(t); x.State != "current" { // it follows its tag, not versions
		t.Errorf("%+v", x)
	}
	one.push(t, "sort", s.host+"/team/sort:latest")
	if x := two.stateOfOne(t); x.State != "newer" {
		t.Errorf("%+v", x)
	}
	two.installs(t, s.host+"/team/sort@"+first.Digest)
	if x := two.stateOfOne(t); x.State != "pinned" {
		t.Errorf("%+v", x)
	}
	two.installed[0].From.Reference = s.host + "/team/other:1"
	if x := two.stateOfOne(t); x.State != "gone" {
		t.Errorf("%+v", x)
	}
	two.installed[0].From.Reference = "127.0.0.1:1/team/other:1"
	if x := two.stateOfOne(t); x.State != "unknown" || x.Code != string(fault.RegistryUnreachable) {
		t.Errorf("%+v", x)
	}
	if l, err := two.Outdated(t.Context(), "", true); err != nil || len(l.Items) != 1 || l.Items[0].Code != "" {
		t.Errorf("%+v %v", l, err)
	}
	_, err := two.Outdated(t.Context(), "nothing", false)
	refused(t, err, fault.NotFound)
}

// A registry that does not answer makes its own skills unknown, however many, and keeps nobody from the others.
func TestARegistryThatDoesNotAnswer(t *testing.T) {
	stuck := false
	end := make(chan struct{})
	stalled := inMemory(t, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if stuck {
			select {
			case <-end:
			case <-r.Context().Done():
			}
			return
		}
		next.ServeHTTP(w, r)
	})
	t.Cleanup(func() { close(end) })
	s := inMemory(t)
	m := newMachine(t)
	for i := range 2 * skillsAtOnce {
		name := fmt.Sprint("sort-", i)
		m.has(t, name, "Sort them.")
		m.push(t, name, stalled.host+"/"+name+":1.0")
		m.installs(t, stalled.host+"/"+name+":1.0")
	}
	m.has(t, "last", "Sort them.")
	m.push(t, "last", s.host+"/last:1.0")
	m.installs(t, s.host+"/last:1.0")
	stuck = true
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	l, err := m.Outdated(ctx, "", false)
	must(t, err)
	for i, x := range l.Items {
		want := map[bool]string{true: "current", false: "unknown"}[i == len(l.Items)-1]
		if x.State != want || (x.Code != "") != (want == "unknown") {
			t.Errorf("%s: %s (%s)", x.SkillSlug, x.State, x.Code)
		}
	}
}

// A reference that is pinned to one content and a digest that names another one are no request, so a lock file cannot show one
// and bring the other.
func TestAReferenceAndAnotherDigest(t *testing.T) {
	s := inMemory(t)
	m := newMachine(t)
	ref := s.host + "/team/sort:1.0"
	m.has(t, "sort", "One.")
	one := m.push(t, "sort", ref)
	m.has(t, "sort", "Two.")
	two := m.push(t, "sort", ref)
	at := func(reference, digest string) wire.SkillImportSourceRequest {
		return wire.SkillImportSourceRequest{Kind: "registry", Reference: reference, Digest: digest}
	}
	name := s.host + "/team/sort@"
	_, _, _, err := m.Fetch(t.Context(), at(name+one.Digest, two.Digest))
	refused(t, err, fault.InvalidRequest)
	for _, q := range []wire.SkillImportSourceRequest{at(name+one.Digest, one.Digest), at(ref, one.Digest)} {
		if _, _, from, err := m.Fetch(t.Context(), q); err != nil || from.Digest != one.Digest {
			t.Errorf("%+v: %+v %v", q, from, err)
		}
	}
}

// A tag that is moved back to an older push, or that an attacker lets lead there again, is refused unless the person
// wants it; so is one that hides when it was pushed.
func TestAReplayedVersion(t *testing.T) {
	s := inMemory(t)
	one, two := newMachine(t), newMachine(t)
	ref := s.host + "/team/sort:latest"
	one.later(1)
	one.has(t, "sort", "The old one, with the hole.")
	one.push(t, "sort", ref)
	one.later(2)
	one.has(t, "sort", "The new one.")
	one.push(t, "sort", ref)
	two.installs(t, ref)
	one.later(1)
	one.has(t, "sort", "The old one, with the hole.")
	one.push(t, "sort", ref) // as the registry replays it
	if x := two.stateOfOne(t); x.State != "older" {
		t.Errorf("%+v", x)
	}
	q := wire.SkillImportSourceRequest{Kind: "registry", Updates: "sort"}
	_, err := two.update(t.Context(), q)
	refused(t, err, fault.RegistryOlder)
	q.Older = true
	p, err := two.update(t.Context(), q)
	must(t, err)
	if !strings.Contains(string(p.Bundle.File(skill.Entry).Data), "hole") {
		t.Error("it is another one")
	}
	if !two.installed[0].From.Earlier("sha256:"+hex64(), time.Time{}) {
		t.Error("one that does not say when counts as newer")
	}
}

// What was changed and approved here is merged with what is new there; where both changed one place, or the version in
// between is gone, it says so.
func TestAnUpdateKeepsWhatWasChangedHere(t *testing.T) {
	lost, answer := "", http.StatusNotFound
	s := inMemory(t, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if lost != "" && strings.HasSuffix(r.URL.Path, lost) {
			w.WriteHeader(answer)
			return
		}
		next.ServeHTTP(w, r)
	})
	one, two := newMachine(t), newMachine(t)
	notes := func(text string) skill.File { return skill.File{Path: "references/notes.md", Data: []byte(text)} }
	ref := s.host + "/team/sort:1.0"
	one.later(1)
	one.has(t, "sort", "First.", notes("one\ntwo\nthree\nfour\n"))
	first := one.push(t, "sort", ref)
	k := two.installs(t, ref)
	two.changes(t, k, "references/notes.md", "one\ntwo\nthree\nfour, as we do it\n")
	two.changes(t, k, "references/ours.md", "Only here.\n")
	one.later(2)
	one.has(t, "sort", "Second.", notes("one, better\ntwo\nthree\nfour\n"))
	one.push(t, "sort", s.host+"/team/sort:1.1")
	if x := two.stateOfOne(t); x.State != "newer" || !x.ChangedHere {
		t.Errorf("%+v", x)
	}
	q := wire.SkillImportSourceRequest{Kind: "registry", Updates: "sort"}
	p, err := two.update(t.Context(), q)
	must(t, err)
	if got := string(p.Bundle.File("references/notes.md").Data); got != "one, better\ntwo\nthree\nfour, as we do it\n" || !p.Merged {
		t.Errorf("%q", got)
	}
	if got := p.provenance().Updates; got != two.skills[k.AbilityID].Bundle.Hash() {
		t.Errorf("it updates %q", got)
	}
	if p.Bundle.File("references/ours.md") == nil || !strings.Contains(string(p.Bundle.File(skill.Entry).Data), "Second.") {
		t.Error("a side is missing")
	}
	two.changes(t, k, "references/notes.md", "one, otherwise\ntwo\nthree\nfour\n")
	_, err = two.update(t.Context(), q)
	if f := refused(t, err, fault.UpdateConflict); fmt.Sprint(f.Details["files"]) != "[references/notes.md]" {
		t.Errorf("%v", f.Details)
	}
	lost = first.Digest
	_, err = two.update(t.Context(), q)
	refused(t, err, fault.UpdateConflict)
	answer = http.StatusForbidden // it may be there
	_, err = two.update(t.Context(), q)
	refused(t, err, fault.RegistrySignIn)
	q.Theirs = true
	p, err = two.update(t.Context(), q)
	must(t, err)
	if p.Merged || p.Bundle.Hash() != one.skills["sort"].Bundle.Hash() {
		t.Error("something of here is left")
	}
	q = wire.SkillImportSourceRequest{Kind: "registry", Updates: "sort", Reference: s.host + "/elsewhere/sort:1"}
	one.push(t, "sort", q.Reference)
	_, err = two.update(t.Context(), q)
	refused(t, err, fault.InvalidRequest)
}

// listing answers _catalog page by page, as registries do.
func listing(names []string) func(w http.ResponseWriter, r *http.Request, next http.Handler) {
	sort.Strings(names)
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if r.URL.Path != "/v2/_catalog" {
			next.ServeHTTP(w, r)
			return
		}
		n, _ := strconv.Atoi(r.URL.Query().Get("n"))
		from := sort.SearchStrings(names, r.URL.Query().Get("last")+"\x00")
		if r.URL.Query().Get("last") == "" {
			from = 0
		}
		page := names[from:min(len(names), from+n)]
		if from+n < len(names) {
			w.Header().Set("Link", fmt.Sprintf(`</v2/_catalog?n=%d&last=%s>; rel="next"`, n, url.QueryEscape(page[len(page)-1])))
		}
		json.NewEncoder(w).Encode(map[string]any{"repositories": page})
	}
}

func TestSearch(t *testing.T) {
	names := []string{"team/order-one", "team/order-two", "team/bill", "other/order-three", "team/image"}
	for i := range 2500 {
		names = append(names, fmt.Sprintf("many/skill-%04d", i))
	}
	s := inMemory(t, listing(names))
	one := newMachine(t)
	for _, n := range []string{"team/order-one", "team/order-two", "team/bill", "many/skill-2400"} {
		one.has(t, n[strings.LastIndexByte(n, '/')+1:], "Do it.")
		one.push(t, n[strings.LastIndexByte(n, '/')+1:], s.host+"/"+n+":1.0")
	}
	one.push(t, "bill", s.host+"/team/bill:1.2")
	one.installs(t, s.host+"/team/bill:1.0")
	l, err := one.Search(t.Context(), wire.SkillSearchQuery{In: s.host + "/team/"})
	must(t, err)
	var got []string
	for _, x := range l.Items {
		got = append(got, strings.TrimPrefix(x.Reference, s.host))
	}
	if strings.Join(got, " ") != "/team/bill:1.2 /team/order-one:1.0 /team/order-two:1.0" || l.Total != 4 || l.Items[0].InstalledAs != "bill" {
		t.Errorf("%v of %d", got, l.Total)
	}
	if l, err = one.Search(t.Context(), wire.SkillSearchQuery{In: s.host + "/many/", Words: "skill 2400"}); err != nil || l.Total != 1 ||
		len(l.Items) != 1 || l.Items[0].Name != "skill-2400" {
		t.Errorf("%+v %v", l, err)
	}
	closed := inMemory(t, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if strings.HasPrefix(r.URL.Path, "/v2/_catalog") {
			http.Error(w, `{"errors":[{"code":"UNSUPPORTED"}]}`, http.StatusNotFound)
			return
		}
		next.ServeHTTP(w, r)
	})
	_, err = one.Search(t.Context(), wire.SkillSearchQuery{In: closed.host + "/team/"})
	refused(t, err, fault.RegistryNoList)
}

func TestVersions(t *testing.T) {
	for tags, want := range map[string]string{"1.0 1.10 1.9": "1.10", "v1.2 v1.10 latest": "v1.10", "latest a b": "latest", "a b": "b",
		"2024.1 1.5 x": "2024.1", "1.0-rc1 0.9": "0.9"} {
		if got := slices.SortedFunc(slices.Values(strings.Fields(tags)), newer)[0]; got != want {
			t.Errorf("%s: %s, want %s", tags, got, want)
		}
	}
}
