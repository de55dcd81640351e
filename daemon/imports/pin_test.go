package imports_test

import (
	"strings"
	"testing"

	"showhow/daemon/imports"
	"showhow/internal/fault"
)

var keyA, keyB = strings.Repeat("a", 64), strings.Repeat("b", 64)

// What was pulled before a key was accepted cannot end that key when it is approved after it: nobody was told of the key.
func TestAWaitingPullEndsNoAcceptedKey(t *testing.T) {
	k := newKit(t)
	unsigned := k.pulled(remote{text: "Nobody's.\n"}, tidyAt+":0.9")
	other := k.pulled(remote{text: "Another's.\n", from: imports.Provenance{Signer: keyB}}, tidyAt+":0.9")
	set := k.pulled(remote{text: "Set aside.\n", from: imports.Provenance{Signer: keyB, SetAside: keyA}}, tidyAt+":2.0")
	same := k.pulled(remote{text: "One more.\n", from: imports.Provenance{Signer: keyA}}, tidyAt+":1.1")
	k.approve(k.pulled(remote{text: "One.\n", from: imports.Provenance{Signer: keyA}}, tidyAt+":1.0").ImportID)
	for id, want := range map[string]fault.Code{unsigned.ImportID: fault.RegistryUnsigned, other.ImportID: fault.RegistryOtherSigner} {
		if d, err := k.Get(ctx, id); err != nil || d.Refused == nil || d.Refused.Code != string(want) || d.Refused.Hint == "" {
			t.Errorf("%s: the review says %+v, %v", want, d.Refused, err)
		}
		_, err := k.Approve(ctx, imports.Meta{}, imports.ApproveRequest{ImportID: id})
		code(t, err, want)
		_, err = k.InstallPrivate(ctx, imports.Meta{}, imports.InstallPrivateRequest{ImportID: id})
		code(t, err, want)
	}
	for _, id := range []string{same.ImportID, set.ImportID} {
		if d, err := k.Get(ctx, id); err != nil || d.Refused != nil {
			t.Errorf("the review says %+v, %v", d.Refused, err)
		}
		_, err := k.Approve(ctx, imports.Meta{}, imports.ApproveRequest{ImportID: id})
		code(t, err, fault.RevisionConflict) // what it replaces is told first
		k.approve(id)
	}
}

// The review says what becomes of the accepted key.
func TestTheReviewTellsOfTheKey(t *testing.T) {
	k := newKit(t)
	k.approve(k.pulled(remote{text: "One.\n", from: imports.Provenance{Signer: keyA}}, tidyAt+":1.0").ImportID)
	for name, x := range map[string]struct {
		from    imports.Provenance
		signer  string
		forgets bool
	}{
		"the same":                  {imports.Provenance{Signer: keyA}, "", false},
		"another":                   {imports.Provenance{Signer: keyB, SetAside: keyA}, "other", false},
		"nobody, this once":         {imports.Provenance{Pinned: keyA, SetAside: keyA}, "gone", false},
		"nobody, from now on":       {imports.Provenance{SetAside: keyA}, "gone", true},
		"another, which is set too": {imports.Provenance{Signer: keyB, Pinned: keyA, SetAside: keyA}, "other", false},
	} {
		r := k.pulled(remote{text: name + "\n", from: x.from}, tidyAt+":2.0")
		d, err := k.Get(ctx, r.ImportID)
		if err != nil || d.Comparison == nil || d.Comparison.Signer != x.signer || d.Comparison.Forgets != x.forgets {
			t.Errorf("%s: %+v %v", name, d.Comparison, err)
		}
	}
	k.approve(k.pulled(remote{text: "Two.\n", from: imports.Provenance{Pinned: keyA, SetAside: keyA}}, tidyAt+":2.0").ImportID)
	r := k.pulled(remote{text: "Three.\n", from: imports.Provenance{Signer: keyB, SetAside: keyA}}, tidyAt+":3.0")
	if d, err := k.Get(ctx, r.ImportID); err != nil || d.Comparison.Signer != "other" {
		t.Errorf("after an unsigned one: %+v %v", d.Comparison, err)
	}
}

// An address that a connector gives its skill is not a registry's, nor another connector's.
func TestAConnectorReplacesNothingOfARegistry(t *testing.T) {
	k := newKit(t)
	first := k.approve(k.pulled(remote{text: "One.\n", from: imports.Provenance{Signer: keyA}}, tidyAt+":1.0").ImportID)
	mail := k.pulled(remote{text: "Two.\n", from: imports.Provenance{ConnectorID: "mail"}}, tidyAt+":1.0")
	chat := k.pulled(remote{text: "Three.\n", from: imports.Provenance{ConnectorID: "chat"}}, tidyAt+":1.0")
	was := map[string]bool{first.AbilityID: true}
	for _, r := range []imports.Record{mail, chat} {
		out := k.approve(r.ImportID)
		if r.Replaces != "" || out.Replaces != "" || was[out.AbilityID] {
			t.Errorf("it replaces %q", out.Replaces)
		}
		was[out.AbilityID] = true
	}
	again := k.pulled(remote{text: "Four.\n", from: imports.Provenance{ConnectorID: "mail"}}, tidyAt+":1.0")
	if again.Replaces == "" || again.Replaces == first.AbilityID {
		t.Errorf("the connector's own next version replaces %q", again.Replaces)
	}
}
