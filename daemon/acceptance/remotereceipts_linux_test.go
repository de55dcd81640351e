package acceptance_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"showhow/daemon/client"
	"showhow/daemon/journal"
	"showhow/internal/canary"
	"showhow/internal/fault"
)

// A new signing key and each turn of A2A leave a receipt, also when the key changed by itself; what was refused leaves
// none. It is stored, answered and printed alike, and no key, token, secret or argument of a program is in any of it.
func TestReceiptsOfKeysAndA2A(t *testing.T) {
	t.Parallel()
	w := begin(t)
	ctx := t.Context()
	var secrets []canary.Canary
	hide := func(label, text string) { secrets = append(secrets, canary.Canary{Label: label, Text: text}) }
	refusedBefore := func(err error, code fault.Code) {
		t.Helper()
		if refused(t, err, code); len(w.receipts(client.ReceiptFilter{Kind: "remote.key.rotated"})) != 0 {
			t.Error("what was refused left a receipt")
		}
	}
	_, err := w.c.RotateRemoteKeys(ctx)
	refusedBefore(err, fault.RemoteOff)
	base := w.remoteOn().URL
	scout := w.agent("scout")
	_, err = scout.RotateRemoteKeys(ctx)
	refusedBefore(err, fault.Forbidden)
	_, err = scout.SetRemoteA2A(ctx, client.RemoteA2ASet{RemoteA2A: client.RemoteA2A{On: true}})
	refused(t, err, fault.Forbidden)
	_, err = w.c.SetRemoteA2A(ctx, client.RemoteA2ASet{RemoteA2A: client.RemoteA2A{On: true, Command: []string{""}}})
	refused(t, err, fault.InvalidRequest)

	m, token := w.machine("nightly", "contract", "showhow") // the first key
	hide("the machine's secret", m.ClientSecret)
	hide("a token", token)
	if ks := got(w.c.RotateRemoteKeys(ctx))(t); len(ks.KeyIDs) != 2 {
		t.Errorf("%v", ks)
	}
	files := got(filepath.Glob(filepath.Join(w.o.Roots.Data, "keys", "remote-*.key")))(t)
	for _, f := range files { // also the one that will be destroyed
		hide(filepath.Base(f), string(got(os.ReadFile(f))(t)))
	}
	w.forward(31 * 24 * time.Hour)
	_, token = w.machine("weekly", "contract", "showhow") // signed by the next one
	hide("a token of the next key", token)
	next := got(filepath.Glob(filepath.Join(w.o.Roots.Data, "keys", "remote-signing-*.key")))(t)
	if len(files) != 2 || len(next) != 1 && len(next) != 2 || slices.Contains(files, next[len(next)-1]) {
		t.Errorf("%v, then %v", files, next)
	}
	hide("the next key", string(got(os.ReadFile(next[len(next)-1]))(t)))

	const argument = "--token=canary-of-the-program"
	hide("the program's argument", argument)
	served := func() int {
		res, err := http.Get(base + "/.well-known/agent-card.json")
		must(t, err)
		res.Body.Close()
		return res.StatusCode
	}
	for _, x := range []client.RemoteA2A{{On: true, Command: []string{"true", argument}}, {On: true}, {}} {
		got(w.c.SetRemoteA2A(ctx, client.RemoteA2ASet{RemoteA2A: x}))(t)
		if (served() == http.StatusOK) != x.On {
			t.Errorf("%d after %+v", served(), x)
		}
	}

	const rotated, on, off = "Tokens of remote callers are signed by a new key.", "Callers from elsewhere are answered in A2A.",
		"Callers from elsewhere are not answered in A2A any more."
	dir := t.TempDir()
	for kind, want := range map[string][]string{"remote.key.rotated": {rotated, rotated, rotated}, "remote.a2a": {off, on, on}} {
		answered := w.receipts(client.ReceiptFilter{Kind: kind})
		var said []string
		for _, r := range answered {
			if said = append(said, r.Summary); r.Reason != "" || r.AbilityID != "" {
				t.Errorf("%+v", r)
			}
		}
		if !slices.Equal(said, want) {
			t.Errorf("%s: %q", kind, said)
		}
		if kind == "remote.key.rotated" && answered[0].CreatedAt.Sub(answered[1].CreatedAt.Time) < 30*24*time.Hour {
			t.Errorf("the last key came at %s, the one before at %s", answered[0].CreatedAt, answered[1].CreatedAt)
		}
		var stored []journal.Receipt
		w.until("the record of "+kind, func() bool {
			stored = nil
			for _, r := range lines[journal.Receipt](w, "learning/receipts.jsonl") {
				if string(r.Kind) == kind {
					stored = append(stored, r)
				}
			}
			return len(stored) == len(want)
		})
		slices.Reverse(stored)
		if a, b := got(json.Marshal(answered))(t), got(json.Marshal(stored))(t); string(a) != string(b) {
			t.Errorf("answered:\n%s\nstored:\n%s", a, b)
		}
		shown := w.showhow(dir, nil, "receipts", "--kind", kind)
		for _, s := range slices.Compact(want) {
			if strings.Count(shown, kind) != len(want) || !strings.Contains(shown, s) {
				t.Errorf("%q is not shown:\n%s", s, shown)
			}
		}
		for what, b := range map[string][]byte{"answered": got(json.Marshal(answered))(t), "shown": []byte(shown),
			"shown as JSON": []byte(w.showhow(dir, nil, "receipts", "--kind", kind, "--json"))} {
			if hits := got(canary.Bytes(kind+" "+what, b, secrets...))(t); len(hits) > 0 {
				t.Errorf("%v", hits)
			}
		}
	}
	if hits := got(canary.Bytes("log", []byte(w.log.String()), secrets...))(t); len(hits) > 0 {
		t.Errorf("%v", hits)
	}
	w.stop()
	found := 0
	for _, root := range []string{w.o.Roots.Data, w.o.Roots.State, w.o.Config.Memory} {
		for _, h := range got(canary.Scan(root, secrets...))(t) {
			if strings.HasPrefix(h.Path, "keys"+string(filepath.Separator)) { // where the keys are kept
				found++
			} else {
				t.Errorf("%s: %v", root, h)
			}
		}
	}
	if found == 0 {
		t.Error("the search does not even find the keys where they are kept")
	}
}
