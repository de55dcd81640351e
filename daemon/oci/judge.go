package oci

import (
	"slices"
	"strings"

	"showhow/internal/fault"
)

// demand is what must hold of a skill's signature.
type demand struct {
	pinned   string // the key that was accepted with the installed one
	signer   string // the key that the person or the lock file names
	both     bool   // signer is demanded beside pinned; otherwise it takes the place of pinned
	unsigned bool   // the person accepts it without a signature
}

// expected is the key that counts, "" for any one key.
func (d demand) expected() string {
	if d.signer != "" && (!d.both || d.pinned == "") {
		return d.signer
	}
	return d.pinned
}

// by reports whether a signature is by the key that counts, and holds.
func (d demand) by(x signed) bool { return x.problem == "" && x.signer == d.expected() }

// Values of a pull's pin: what becomes of the key that was accepted before.
const (
	pinKeep   = "keep"   // nothing sets it aside
	pinForget = "forget" // as if none had been accepted
)

// demand is what a pull must satisfy, with the key that was accepted for what it would replace.
func (w wanted) demand(pinned string) demand {
	if w.pin == pinForget {
		pinned = ""
	}
	return demand{pinned: pinned, signer: w.signer, both: w.pin == pinKeep, unsigned: w.unsigned}
}

// isFrom reports whether it was pulled from the repository that a reference names.
func (k Installed) isFrom(r Reference) bool {
	return k.fromRegistry() && k.From.Repository() == r.Name()
}

// pinnedFor is the key that was accepted with what is installed from a repository: with the one that a pull would
// replace, which is the first, or else with another.
func pinnedFor(all []Installed, r Reference) string {
	for _, k := range all {
		if pin := k.From.Pin(); pin != "" && k.isFrom(r) {
			return pin
		}
	}
	return ""
}

// keepPin records what becomes of the accepted key: an unsigned one does not end it unless the person said to forget it,
// and whoever approves is told which key did not sign.
func (p *Pulled) keepPin(pinned string, w wanted) {
	if p.Signer == "" && w.pin != pinForget {
		p.Pinned = pinned
	}
	if p.Signer != pinned {
		p.SetAside = pinned
	}
}

// judge finds the signature that counts; signer is "" for a skill that nobody signed and that needs nobody to. r is what
// was asked for: what is asked for by a tag must have been signed for it.
func (s *Service) judge(all []signed, r Reference, want demand) (signer string, err error) {
	var good []signed
	for _, x := range all {
		if x.problem == "" && !slices.ContainsFunc(good, func(g signed) bool { return g == x }) {
			good = append(good, x)
		}
	}
	signers := []string{}
	for _, x := range good {
		signers = append(signers, x.signer)
	}
	slices.Sort(signers)
	signers = slices.Compact(signers)
	refuse := func(code fault.Code, message, hint string) *fault.Error {
		f := fault.New(code, message).WithHint(hint).WithDetail("registry", r.Registry).WithDetail("signers", signers)
		if e := want.expected(); e != "" {
			f = f.WithDetail("expected", e)
		}
		return f
	}
	expected := want.expected()
	switch {
	case len(signers) == 0 && len(all) > 0:
		return "", refuse(fault.RegistrySignature, "the skill's signature does not hold",
			"none of it was kept; tell whoever pushed it").WithDetail("reason", all[0].problem)
	case len(signers) == 0 && want.signer != "" && want.pinned == "":
		return "", refuse(fault.RegistryUnsigned, "nobody signed this skill, so the key that you named did not",
			"ask whoever pushed it to push it signed; without --signer, `pull` takes it as it is, for your review")
	case len(signers) == 0 && expected != "" && !(want.unsigned && want.signer == ""):
		return "", refuse(fault.RegistryUnsigned, "nobody signed this skill, and you accepted a key for it",
			"ask whoever pushed it to push it signed; `pull` or `update` with --unsigned takes it as it is, for your review, and the key "+
				"stays accepted")
	case len(signers) == 0 && s.o.RequireSignature() && !want.unsigned:
		return "", refuse(fault.RegistryUnsigned, "nobody signed this skill, and your settings require it",
			"ask whoever pushed it to push it signed; `pull` or `update` with --unsigned takes it as it is, for your review")
	case len(signers) == 0:
		return "", nil
	case expected != want.pinned && !slices.Contains(signers, expected):
		return "", refuse(fault.RegistryOtherSigner, "another key signed this skill than the one that you named",
			"ask whoever pushed it for the key's fingerprint, out of band; without --signer, `pull` shows it for your review")
	case expected != "" && !slices.Contains(signers, expected):
		return "", refuse(fault.RegistryOtherSigner, "another key signed this skill than the one that you accepted",
			"ask whoever pushed it for the key's fingerprint, out of band; `pull` or `update` with --signer FINGERPRINT accepts that key, "+
				"for your review")
	case want.signer != "" && !slices.Contains(signers, want.signer):
		return "", refuse(fault.RegistryOtherSigner, "the key that you accepted signed this skill, and the one that is named did not",
			"ask whoever wrote the lock file which key it should name").WithDetail("named", want.signer)
	case expected == "" && len(signers) > 1:
		return "", refuse(fault.RegistryOtherSigner, "several keys signed this skill, and you accepted none of them yet",
			"ask whoever pushed it for the key's fingerprint; `pull` or `update` with --signer FINGERPRINT accepts that key, for your review")
	case expected == "":
		expected = signers[0]
	}
	return expected, meant(good, expected, r, refuse)
}

// meant checks that the skill was signed for the name and the tag that lead to it. What was asked for by its digest is
// exactly what was asked for.
func meant(good []signed, signer string, r Reference, refuse func(fault.Code, string, string) *fault.Error) error {
	if r.pinned() {
		return nil
	}
	for _, x := range good {
		if x.signer == signer && (x.mark == "" || x.mark == r.signedFor()) {
			return nil
		}
	}
	i := slices.IndexFunc(good, func(x signed) bool { return x.signer == signer })
	reason := "name"
	if name, _, _ := strings.Cut(good[i].mark, ":"); name == r.Repository {
		reason = "tag"
	}
	return refuse(fault.RegistrySignature, "the skill was signed for another "+reason+" than the one that leads to it",
		"it was signed for "+good[i].mark+"; if that is what you want, pull it by its digest").WithDetail("reason", reason)
}
