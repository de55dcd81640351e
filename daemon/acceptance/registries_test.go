package acceptance_test

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/registry"

	"showhow/daemon/api/presence"
	"showhow/daemon/client"
	"showhow/internal/fault"
)

// skillRegistry serves a registry on this machine; before, when it is set, answers first and says whether it did.
func skillRegistry(t *testing.T, before func(w http.ResponseWriter, r *http.Request) bool) string {
	t.Helper()
	h := registry.New(registry.Logger(log.New(io.Discard, "", 0)))
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if before == nil || !before(w, r) {
			h.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(srv.Close)
	return strings.TrimPrefix(srv.URL, "http://")
}

// owns installs an approved skill and returns it.
func (w *world) owns(more ...member) client.Ability {
	w.t.Helper()
	ctx := w.t.Context()
	r := got(w.bringIn(zipped(w.t, more...)))(w.t).ImportRecord
	got(w.c.StageSkillImport(ctx, r.ImportID))(w.t)
	out := got(w.c.ApproveSkillImport(ctx, client.ImportDecision{ImportID: r.ImportID, ContentHash: r.ContentHash}))(w.t)
	return got(w.c.Ability(ctx, out.ImportRecord.AbilityID))(w.t)
}

// push pushes what the preview shows.
func (w *world) push(skill, ref string) client.SkillPushed {
	w.t.Helper()
	q := client.SkillPush{AbilityID: skill, Reference: ref}
	q.Seal = got(w.c.PreviewSkillPush(w.t.Context(), q))(w.t).Seal
	return got(w.c.PushSkill(w.t.Context(), q))(w.t)
}

// pull brings a skill in from a registry, up to the review.
func (w *world) pull(ref string) client.SkillImportDetail {
	w.t.Helper()
	return w.pullFrom(client.SkillSource{Kind: "registry", Reference: ref})
}

func (w *world) pullFrom(q client.SkillSource) client.SkillImportDetail {
	w.t.Helper()
	ctx := w.t.Context()
	up := got(w.c.ImportSource(ctx, q))(w.t)
	s := got(w.c.ScanSkillImport(ctx, up.TempArtifact.TempArtifactRef))(w.t)
	got(w.c.StageSkillImport(ctx, s.ImportRecord.ImportID))(w.t)
	return got(w.c.SkillImport(ctx, s.ImportRecord.ImportID))(w.t)
}

// From one machine to another: pushed with presence, pulled as an import, approved there, found by its sentence, with
// the same trust hash. A second pull of the same name is compared and takes its place.
func TestASkillTravels(t *testing.T) {
	t.Parallel()
	host := skillRegistry(t, nil)
	one, two := begin(t, withSecrets(fakeSecrets{})), begin(t)
	ctx := t.Context()
	a := one.owns()
	ref := host + "/team/sort-receipts:1.0"

	q := client.SkillPush{AbilityID: a.AbilityID, Reference: ref}
	q.Seal = got(one.c.PreviewSkillPush(ctx, q))(t).Seal
	_, err := client.Unix(one.o.Roots.Socket()).PushSkill(ctx, q)
	if f := refused(t, err, fault.PresenceRequired); f.Details["content_hash"] != q.Seal {
		t.Errorf("bound to %v", f.Details)
	}
	bot := one.agent("bot")
	_, err = bot.PreviewSkillPush(ctx, q)
	refused(t, err, fault.Forbidden)
	_, err = bot.PushSkill(ctx, q)
	refused(t, err, fault.Forbidden)
	pushed := one.push("sort-receipts", ref)
	if n := len(one.receipts(client.ReceiptFilter{Kind: "skill.pushed"})); n != 1 {
		t.Errorf("%d receipts", n)
	}

	key := got(one.c.SkillSigner(ctx))(t).Signer
	if v := got(two.c.VerifySkill(ctx, ref, ""))(t); v.Signer != key || key == "" || v.Yours || v.Digest != pushed.Digest {
		t.Errorf("%+v, signed by %s", v, key)
	}
	_, err = two.c.VerifySkill(ctx, ref, strings.Repeat("0", 64))
	refused(t, err, fault.RegistryOtherSigner)

	d := two.pull(ref)
	r := d.ImportRecord
	if r.Provenance.Signer != key {
		t.Errorf("signed by %q", r.Provenance.Signer)
	}
	if p := r.Provenance; p.Kind != "registry" || p.Reference != ref || p.Digest != pushed.Digest || p.Version != "1.0" || !p.ApprovedThere ||
		p.FetchedAt == nil {
		t.Errorf("%+v", p)
	}
	if r.ContentHash != a.ContentHash || d.Comparison != nil || string(r.StageState) != "ready_for_review" {
		t.Errorf("%+v %+v", r, d.Comparison)
	}
	_, err = client.Unix(two.o.Roots.Socket()).ApproveSkillImport(ctx, client.ImportDecision{ImportID: r.ImportID})
	refused(t, err, fault.PresenceRequired)
	out := got(two.c.ApproveSkillImport(ctx, client.ImportDecision{ImportID: r.ImportID, ContentHash: r.ContentHash}))(t).ImportRecord
	b := got(two.c.Ability(ctx, out.AbilityID))(t)
	if !b.UsableNow || b.ApprovedHash != a.ApprovedHash {
		t.Errorf("%+v", b)
	}
	found := got(two.c.Lookup(ctx, client.LookupQuery{UserQuery: "sort the receipts of a folder by month"}))(t)
	if len(found.Matches) == 0 || found.Matches[0].AbilityID != out.AbilityID {
		t.Errorf("%+v", found.Matches)
	}

	_, err = two.c.ImportSource(ctx, client.SkillSource{Kind: "registry", Reference: ref})
	refused(t, err, fault.SkillImportInstalled)
	three := begin(t)
	three.owns(member{"references/more.md", "Look at https://bills.example.net/all first, with `curl`.\n", 0o644})
	three.push("sort-receipts", host+"/team/sort-receipts:1.1") // without a keychain, so without a signature
	later := client.SkillSource{Kind: "registry", Reference: host + "/team/sort-receipts:1.1"}
	_, err = two.c.ImportSource(ctx, later)
	refused(t, err, fault.RegistryUnsigned)
	later.Unsigned = true
	newer := two.pullFrom(later)
	c := newer.Comparison
	if c != nil && c.Signer != "gone" {
		t.Errorf("signer %q", c.Signer)
	}
	if c == nil || c.Same || !c.Replaces || len(c.Files) != 1 || c.Files[0].Change != "added" || c.Files[0].Path != "references/more.md" ||
		strings.Join(c.Wider.Domains, " ") != "bills.example.net" {
		t.Fatalf("%+v", c)
	}
	seen := client.ImportDecision{ImportID: newer.ImportRecord.ImportID, ContentHash: newer.ImportRecord.ContentHash,
		FindingsRead: newer.FindingsToRead}
	_, err = client.Unix(two.o.Roots.Socket()).ApproveSkillImport(ctx, seen)
	want := presence.Bind(seen.ContentHash, []string{c.AbilityID, b.ApprovedHash})
	if f := refused(t, err, fault.PresenceRequired); f.Details["content_hash"] != want {
		t.Errorf("bound to %v, not to what it replaces", f.Details)
	}
	next := got(two.c.ApproveSkillImport(ctx, seen))(t).ImportRecord
	if next.AbilityID != out.AbilityID {
		t.Errorf("it became another ability: %+v", next)
	}
	for _, target := range two.o.Config.Targets {
		got(os.ReadFile(filepath.Join(target.Dir, "sort-receipts", "references", "more.md")))(t)
	}
}
