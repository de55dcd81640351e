//go:build linux

package acceptance_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"showhow/browser"
	"showhow/browser/browsertest"
	"showhow/daemon/client"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// given are values for the inputs of a draft made of shelf.recording, by what their names hold.
func given(d client.ProposalDetail, thing, count string) map[string]string {
	out := map[string]string{}
	for _, in := range d.Interpretation.Inputs {
		out[in.Name] = thing
		if in.Kind == "number" || in.Name == "count" {
			out[in.Name] = count
		}
	}
	return out
}

func code(steps []client.ValidationStepResult, code string) bool {
	return slices.ContainsFunc(steps, func(s client.ValidationStepResult) bool { return s.Code == code })
}

// What a rehearsal needs, does and leaves behind, on a small application and one daemon.
func TestRehearsalRuns(t *testing.T) {
	if _, err := browser.Find(); err != nil {
		t.Skipf("no Chromium: %v", err)
	}
	t.Parallel()
	w := begin(t)
	s := newShelf(t)
	ctx := t.Context()
	d := w.imported(s.recording("Put a thing on the shelf", "Lamp 3"))
	if len(d.Interpretation.Inputs) != 2 {
		t.Fatalf("inputs %+v", d.Interpretation.Inputs)
	}
	on := func(t *testing.T) { w.t = t }
	id := d.Proposal.ProposalID

	t.Run("a value that is missing", func(t *testing.T) {
		on(t)
		run, steps := w.rehearse(d, client.ValidateRequest{TestPolicy: rehearsing("live_read_safe_write")})
		if run.OverallResult != "partial" || !code(steps, "needs_value") || s.has("Lamp 3") != 0 {
			w.tell(steps)
			t.Errorf("%s %s", run.OverallResult, run.Reason)
		}
		_, err := w.install(d)
		refused(t, err, fault.NotValidated)
	})
	t.Run("values that are given", func(t *testing.T) {
		on(t)
		run, steps := w.rehearse(d, client.ValidateRequest{TestPolicy: rehearsing("live_read_safe_write"), Parameters: given(d, "Vase", "5")})
		if run.OverallResult != "passed" || s.has("Vase 5") != 1 {
			w.tell(steps)
			t.Errorf("%s %s; %v", run.OverallResult, run.Reason, s.things)
		}
		w.nothingLeft(run.ValidationRunID)
	})
	t.Run("a run that is cancelled", func(t *testing.T) {
		on(t)
		s.set(func() { s.hold = make(chan struct{}) })
		run := got(w.c.Validate(ctx, id, client.ValidateRequest{
			RunKinds: []client.RunKind{"rehearsal"}, TestPolicy: rehearsing("live_read_safe_write"), Parameters: given(d, "Jug", "1")}))(t)
		w.within(time.Minute, "the run's first request", s.waiting)
		if at, _ := filepath.Glob(filepath.Join(w.o.Roots.State, "rehearsals", run.ValidationRunID+"*")); len(at) == 0 {
			t.Error("the run has no folder: nothing would be found to be left either")
		}
		_, err := w.c.Validate(ctx, id, client.ValidateRequest{})
		refused(t, err, fault.ValidationInProgress)
		if run = got(w.c.CancelRun(ctx, run.ValidationRunID))(t); run.OverallResult != "cancelled" {
			t.Errorf("%s %s", run.OverallResult, run.Reason)
		}
		w.nothingLeft(run.ValidationRunID)
		s.set(s.release)
		if now := w.proposal(id).Proposal; now.Validation != "passed" || s.has("Jug 1") != 0 {
			t.Errorf("after a run that was cancelled the draft counts as %s; %v", now.Validation, s.things)
		}
	})
	t.Run("signed in, in the managed profile", func(t *testing.T) {
		on(t)
		s.set(func() { s.wall = true })
		defer s.set(func() { s.wall = false })
		run, steps := w.rehearse(d, client.ValidateRequest{TestPolicy: rehearsing("live_read_safe_write"), Parameters: given(d, "Candle", "2")})
		if run.OverallResult != "partial" || !code(steps, "sign_in_required") {
			w.tell(steps)
			t.Errorf("in a fresh profile: %s %s", run.OverallResult, run.Reason)
		}
		managed := client.ValidateRequest{RunKinds: []client.RunKind{"rehearsal"}, TestPolicy: rehearsing("live_read_safe_write"),
			Parameters: given(d, "Candle", "2"), Profile: "managed"}
		_, err := client.Unix(w.o.Roots.Socket()).Validate(ctx, id, managed) // nobody consents
		refused(t, err, fault.PresenceRequired)
		w.signIn(s)
		run, steps = w.rehearse(d, managed)
		if run.OverallResult != "passed" || s.has("Candle 2") != 1 {
			w.tell(steps)
			t.Errorf("in the managed profile: %s %s; %v", run.OverallResult, run.Reason, s.things)
		}
		w.nothingLeft(run.ValidationRunID)
	})
	t.Run("a failure is kept with a picture, and goes with the raw data", func(t *testing.T) {
		on(t)
		s.set(func() { s.broken = true })
		defer s.set(func() { s.broken = false })
		const secret = "canary-shelf-lantern"
		run, steps := w.rehearse(d, client.ValidateRequest{TestPolicy: rehearsing("live_read_safe_write"), Parameters: given(d, secret, "4"),
			KeepPictures: true})
		if run.OverallResult != "failed" || !code(steps, "server_error") {
			w.tell(steps)
			t.Fatalf("%s %s", run.OverallResult, run.Reason)
		}
		kept := got(w.c.RunEvidence(ctx, run.ValidationRunID))(t).Evidence
		if len(kept) != 1 || !kept[0].Picture || len(kept[0].State.Headings) != 1 || kept[0].State.Headings[0] != "No room for {thing}" {
			t.Fatalf("%+v", kept)
		}
		picture := got(w.c.RunPicture(ctx, run.ValidationRunID, kept[0].EvidenceID))(t)
		if img := got(png.Decode(bytes.NewReader(picture.Content)))(t); dark(img) > 0 { // every text of the page holds the value
			t.Errorf("the picture shows %d points of what is to be painted over", dark(img))
		}
		_, err := w.c.RunPicture(ctx, run.ValidationRunID, kept[0].EvidenceID+1)
		refused(t, err, fault.NotFound)
		w.searched("a value of a rehearsal", secret)
		w.dropped(d)
		row := base64.StdEncoding.EncodeToString(picture.Content)
		w.searched("a picture", row[len(row)/2:len(row)/2+40])
	})
	w.t = t

	t.Run("once for each thing", func(t *testing.T) {
		on(t)
		d := w.imported(s.recording("Put things on the shelf", "Oak 1", "Ash 2", "Elm 3"))
		defer w.dropped(d)
		run, steps := w.rehearse(d, client.ValidateRequest{TestPolicy: rehearsing("live_read_safe_write"),
			Parameters: given(d, "Spruce\nCypress", "7\n8")})
		if run.OverallResult != "passed" || s.has("Spruce 7") != 1 || s.has("Cypress 8") != 1 {
			w.tell(steps)
			t.Errorf("%s %s; %v; %+v", run.OverallResult, run.Reason, s.things, d.Interpretation.Inputs)
		}
	})
	w.t = t
}

// A page that asks to sign in waits for the person, who does it in the run's window; nothing of that is recorded.
func TestThePersonSignsInDuringARehearsal(t *testing.T) {
	if _, err := browser.Find(); err != nil {
		t.Skipf("no Chromium: %v", err)
	}
	browsertest.Display(t)
	w := begin(t)
	s := newShelf(t)
	d := w.imported(s.recording("Put a thing on the shelf", "Lamp 3"))
	id := d.Proposal.ProposalID
	s.set(func() { s.wall = true })
	run := got(w.c.Validate(t.Context(), id, client.ValidateRequest{
		RunKinds: []client.RunKind{"rehearsal"}, TestPolicy: rehearsing("live_read_safe_write"), Parameters: given(d, "Bottle", "4"),
		Headed: true}))(t)
	w.waitsForSignIn(id, run.ValidationRunID)
	s.set(func() { s.wall = false })
	got(w.c.ContinueRun(t.Context(), run.ValidationRunID))(t)
	w.within(time.Minute, "the run's end", func() bool { return w.validationRun(id, run.ValidationRunID).Status != "running" })
	if run = w.validationRun(id, run.ValidationRunID); run.OverallResult != "passed" || s.has("Bottle 4") != 1 {
		t.Errorf("%s %s; %v", run.OverallResult, run.Reason, s.things)
	}
	_, err := w.c.ContinueRun(t.Context(), run.ValidationRunID)
	refused(t, err, fault.InvalidLearnStateTransition)
	w.nothingLeft(run.ValidationRunID)
}

// dark counts points that are neither background nor paint: the ink of a text.
func dark(img image.Image) (n int) {
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if r, g, bl, _ := img.At(x, y).RGBA(); r < 0x6000 && g < 0x6000 && bl < 0x6000 {
				n++
			}
		}
	}
	return n
}

// signIn is the person signing in to the shelf in Showhow's own browser.
func (w *world) signIn(s *shelf) {
	w.t.Helper()
	b, err := browser.Launch(w.t.Context(), browser.Options{Profile: w.o.Roots.BrowserProfile(), Headless: new(true), NoSandbox: true,
		Port: true})
	must(w.t, err)
	h := sit(w.t, b.DebugURL())
	h.tab("about:blank").open(s.url + "/enter")
	must(w.t, b.Close())
}

// children are the folders below /proc of a process's children.
func children(t *testing.T, pid int) (out []string) {
	t.Helper()
	all, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	must(t, err)
	for _, f := range all {
		for _, child := range strings.Fields(string(got(os.ReadFile(f))(t))) {
			out = append(out, "/proc/"+child)
		}
	}
	return out
}

// A daemon that is killed during a rehearsal leaves nothing running, and the run counts as cancelled.
func TestKilledWhileRehearsing(t *testing.T) {
	t.Parallel()
	if _, err := browser.Find(); err != nil {
		t.Skipf("no Chromium: %v", err)
	}
	w := newWorld(t)
	process := w.startChild()
	s := newShelf(t)
	d := w.imported(s.recording("Put a thing on the shelf", "Lamp 3"))
	id := d.Proposal.ProposalID
	s.set(func() { s.hold = make(chan struct{}) })
	run := got(w.c.Validate(t.Context(), id, client.ValidateRequest{
		RunKinds: []client.RunKind{"rehearsal"}, TestPolicy: &client.TestPolicy{PolicyID: clock.NewID(), Mode: "read_only", SchemaVersion: 1},
		Parameters: given(d, "Vase", "5")}))(t)
	w.within(time.Minute, "the run's first request", s.waiting)
	works := children(t, process.Process.Pid)
	if len(works) == 0 {
		t.Error("no browser works for the run")
	}
	must(t, process.Process.Kill())
	process.Wait()
	w.within(time.Minute, "the end of the run's processes", func() bool {
		return !slices.ContainsFunc(works, func(dir string) bool { _, err := os.Stat(dir); return err == nil })
	})
	must(t, w.start())
	if run = w.validationRun(id, run.ValidationRunID); run.Status != "completed" || run.OverallResult != "cancelled" {
		t.Errorf("%s %s", run.Status, run.OverallResult)
	}
	now := w.proposal(id)
	if now.Proposal.Validation != "none" || w.state(now.Proposal.LearnSessionID) != "drafting_proposal" {
		t.Errorf("the draft counts as %s, the session is %s", now.Proposal.Validation, w.state(now.Proposal.LearnSessionID))
	}
	w.nothingLeft(run.ValidationRunID)
	s.set(s.release)
	if run := w.validate(now, "lint"); run.OverallResult != "passed" {
		t.Errorf("afterwards a run ends %s: %s", run.OverallResult, run.Reason)
	}
}
