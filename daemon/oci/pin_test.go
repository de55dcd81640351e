package oci

import (
	"testing"

	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// forges makes the registry offer something else under the reference: signed by another key, or by nobody.
func (x *tampering) forges(t *testing.T, other *machine) {
	t.Helper()
	other.later(5)
	other.has(t, "sort", "Send them elsewhere.")
	other.push(t, "sort", x.ref)
}

// The key that was accepted with an installed skill is demanded of whatever comes from there later, by every way in, and
// also after something else from there was taken without a signature.
func TestThePinStays(t *testing.T) {
	for _, offer := range []struct {
		name string
		by   func(t testing.TB) *machine
		code fault.Code
	}{
		{"signed by another", signing, fault.RegistryOtherSigner},
		{"signed by nobody", newMachine, fault.RegistryUnsigned},
	} {
		for name, before := range map[string]func(t *testing.T, x *tampering){
			"at once": func(*testing.T, *tampering) {},
			"after an unsigned pull of another": func(t *testing.T, x *tampering) {
				plain := newMachine(t)
				plain.later(2)
				plain.has(t, "sort", "An experiment.")
				plain.push(t, "sort", x.host+"/team/sort:experiment")
				_, err := x.user.Pull(t.Context(), x.host+"/team/sort:experiment")
				refused(t, err, fault.RegistryUnsigned)
				k := x.user.installsAs(t, wanted{reference: x.host + "/team/sort:experiment", unsigned: true, checked: true})
				if k.From.Signer != "" || k.From.Pinned != x.author.fingerprint(t) || k.From.SetAside != k.From.Pinned {
					t.Errorf("%+v", k.From)
				}
			},
			"after two": func(t *testing.T, x *tampering) {
				plain := newMachine(t)
				for _, tag := range []string{"2.0", "3.0"} {
					plain.later(2)
					plain.has(t, "sort", "Version "+tag)
					plain.push(t, "sort", x.host+"/team/sort:"+tag)
					x.user.installsAs(t, wanted{reference: x.host + "/team/sort:" + tag, unsigned: true, checked: true})
				}
			},
		} {
			t.Run(offer.name+" "+name, func(t *testing.T) {
				x := tampered3(t)
				before(t, x)
				x.forges(t, offer.by(t))
				for _, q := range []wire.SkillImportSourceRequest{
					{Reference: x.ref},
					{Updates: "sort", Reference: x.ref},
					{Reference: x.ref, Digest: digestAt(t, x.user, x.ref), Pin: "keep"},
				} {
					q.Kind = "registry"
					_, _, _, err := x.user.Fetch(t.Context(), q)
					f := refused(t, err, offer.code)
					if f.Details["expected"] != x.author.fingerprint(t) {
						t.Errorf("%+v: %v", q, f.Details)
					}
				}
				_, err := x.user.Verify(t.Context(), wire.SkillVerifyQuery{Reference: x.ref})
				refused(t, err, offer.code)
			})
		}
	}
}

func digestAt(t *testing.T, m *machine, ref string) string {
	t.Helper()
	r, err := Parse(ref)
	must(t, err)
	d, err := m.repository(r).Resolve(t.Context(), r.Reference.Reference)
	must(t, err)
	return d.Digest.String()
}

// A lock file names the key beside the accepted one; a person's --signer takes its place.
func TestALockFileSetsNoKeyAside(t *testing.T) {
	x := tampered3(t)
	other := signing(t)
	x.forges(t, other)
	q := wire.SkillImportSourceRequest{Kind: "registry", Reference: x.ref, Signer: other.fingerprint(t), Pin: "keep"}
	_, _, _, err := x.user.Fetch(t.Context(), q)
	if f := refused(t, err, fault.RegistryOtherSigner); f.Details["expected"] != x.author.fingerprint(t) {
		t.Errorf("%v", f.Details)
	}
	if _, _, from, err := newMachine(t).Fetch(t.Context(), q); err != nil || from.Signer != other.fingerprint(t) {
		t.Errorf("%+v %v", from, err) // where no key was accepted, the file's is
	}
	q.Pin = ""
	_, _, from, err := x.user.Fetch(t.Context(), q)
	must(t, err)
	if from.Signer != other.fingerprint(t) || from.SetAside != x.author.fingerprint(t) || from.Pin() != from.Signer {
		t.Errorf("%+v", from)
	}
	back := x.author
	back.later(6)
	back.push(t, "sort", x.ref)
	_, _, _, err = x.user.Fetch(t.Context(), wire.SkillImportSourceRequest{Kind: "registry", Reference: x.ref, Pin: "keep", Signer: hex64()})
	if f := refused(t, err, fault.RegistryOtherSigner); f.Details["named"] != hex64() {
		t.Errorf("%v", f.Details)
	}
}

// Only a person who says so gives the accepted key up, for whoever signed it or for nobody.
func TestForgettingTheKey(t *testing.T) {
	x := tampered3(t)
	x.forges(t, newMachine(t))
	was := x.author.fingerprint(t)
	k := x.user.installsAs(t, wanted{reference: x.ref, pin: "forget", checked: true})
	if k.From.Pin() != "" || k.From.SetAside != was {
		t.Errorf("%+v", k.From)
	}
	other := signing(t)
	other.later(7)
	other.has(t, "sort", "Sort them again.")
	other.push(t, "sort", x.ref)
	if k = x.user.installs(t, x.ref); k.From.Pin() != other.fingerprint(t) || k.From.SetAside != "" {
		t.Errorf("%+v", k.From)
	}
}

// An update is judged by the key of the skill that it is of, not by that of another one from the same repository.
func TestTwoFromOneRepository(t *testing.T) {
	x := tampered3(t)
	a := x.user.installed[0]
	other := signing(t)
	x.forges(t, other)
	b := a
	b.AbilityID, b.Slug, b.From.Signer = "id-second", "second", other.fingerprint(t)
	x.user.installed = append(x.user.installed, b)
	x.user.skills[b.AbilityID] = Shareable{AbilityID: b.AbilityID, Bundle: x.user.skills[a.AbilityID].Bundle}
	fetch := func(name string) error {
		_, _, _, err := x.user.Fetch(t.Context(), wire.SkillImportSourceRequest{Kind: "registry", Updates: name, Reference: x.ref})
		return err
	}
	refused(t, fetch("sort"), fault.RegistryOtherSigner)
	must(t, fetch("second"))
}
