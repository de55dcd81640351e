package compile

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"showhow/daemon/compile/decision"
	"showhow/daemon/compile/revise"
	"showhow/daemon/workflow"
	"showhow/internal/fault"
)

// What sentences mean for a draft, and which sentences are refused with which nearest one. Each line of a "said" file is
// one instruction; the golden file holds the results.
func TestInstructions(t *testing.T) {
	const name = "testdata/instructions/review.txtar"
	ar, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var files []txtar.File
	for _, f := range ar.Files {
		of, ok := strings.CutSuffix(f.Name, ".said")
		if !ok {
			continue
		}
		got := heard(t, string(f.Data), compiled(t, fixture(t, of)))
		files = append(files, f, txtar.File{Name: of + ".want", Data: []byte(got)})
		if *update {
			continue
		}
		for _, w := range ar.Files {
			if w.Name == of+".want" {
				if d := cmp.Diff(string(w.Data), got); d != "" {
					t.Errorf("%s (-want +got):\n%s", of, d)
				}
			}
		}
	}
	if *update {
		ar.Files = files
		if err := os.WriteFile(name, txtar.Format(ar), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func heard(t *testing.T, lines string, out Output) string {
	t.Helper()
	var b strings.Builder
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		fmt.Fprintf(&b, "%s\n", line)
		in, err := revise.Instruct(line, out)
		var refused *fault.Error
		if errors.As(err, &refused) {
			fmt.Fprintf(&b, "  refused: %s\n  hint: %s\n", refused.Message, refused.Hint)
			continue
		}
		edits, err := json.Marshal(in.Edits)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "  %s\n  %s\n", strings.Join(in.Understood, "\n  "), edits)
	}
	return b.String()
}

// The docs list exactly these sentences.
func TestSayingsAreDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../docs/review.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for line := range strings.Lines(string(doc)) {
		if s, ok := strings.CutPrefix(line, "- `"); ok {
			s, _, _ = strings.Cut(s, "`")
			listed[s] = true
		}
	}
	for _, s := range revise.Sayings() {
		if !listed[s] {
			t.Errorf("docs/review.md lacks: %s", s)
		}
		delete(listed, s)
	}
	for s := range listed {
		t.Errorf("docs/review.md promises what is not understood: %s", s)
	}
}

// Removing one phrase or check leaves the others unchanged, also over several revisions, and a reworded checkpoint says
// that its checks are unchanged.
func TestInstructionsTakeAway(t *testing.T) {
	in := fixture(t, "orderdesk")
	first := compiled(t, in)
	say := func(text string) Output {
		t.Helper()
		said, err := revise.Instruct(text, compiled(t, in))
		if err != nil {
			t.Fatal(err)
		}
		in.Edits, in.Anchors = decision.MergeEdits(in.Edits, said.Edits), first.Anchors
		return compiled(t, in)
	}
	gone := first.NegativeTriggers[0]
	if out := say(`remove the phrase "` + gone + `"`); len(out.NegativeTriggers) != len(first.NegativeTriggers)-1 ||
		slices.Contains(out.NegativeTriggers, gone) {
		t.Errorf("%q of %q: %q", gone, first.NegativeTriggers, out.NegativeTriggers)
	}
	before := len(first.Interpretation.Checkpoints[1].MoreChecks)
	say("do not check the heading in checkpoint 2")
	k := say("cp-02 should not check the address").Interpretation.Checkpoints[1]
	if left := append([]workflow.Check{*k.Check}, k.MoreChecks...); before != 1 || len(left) != 1 || left[0].Kind != "manual" {
		t.Errorf("%d more checks before, left: %+v", before, left)
	}
	last := compiled(t, in)
	if told := strings.Join(revise.Difference(last, say("checkpoint 1 should say: the order is open")), "\n"); !strings.Contains(told,
		"Only the text of cp-01 was changed: a rehearsal still checks") {
		t.Error(told)
	}
}

func TestInstructionsAreDone(t *testing.T) {
	for text, want := range map[string][]string{
		"Call it when instead of delivery date. Always use Shipped for the status.": {"{when}", "Status: `Shipped`"},
		"Drop the last step":                                  {"-grep -c"},
		"Do step 9 only when the customer should know":        {"Only when the customer should know: enter {note_to_customer}"},
		"Split after the download":                            {"Part 2"},
		"It is done when the list shows the order as shipped": {"The list shows the order as shipped."},
		"do the note before the delivery date": {
			"\"Note to customer\" to {note_to_customer} and \"Delivery date\" to {delivery_date}"},
		"do not check the address in checkpoint 2":                    {"-the address is /orders/{order}/confirm"},
		"checkpoint 2 should say: the summary shows what will change": {"the summary shows what will change"},
	} {
		in := fixture(t, "orderdesk")
		out := compiled(t, in)
		said, err := revise.Instruct(text, out)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		in.Edits, in.Anchors = said.Edits, out.Anchors
		again := compiled(t, in)
		md := string(again.Bundle.File("SKILL.md").Data)
		for _, w := range want {
			gone, absent := strings.CutPrefix(w, "-")
			if strings.Contains(md, gone) == absent {
				t.Errorf("%s: %q\n%s", text, w, md)
			}
		}
	}
}

func TestUnsafeOrderIsRefused(t *testing.T) {
	in := fixture(t, "orderdesk")
	for _, m := range []map[string]any{{"s11": "before s7"}, {"s1": "after s2"}, {"s99": "before s1"}, {"s7": "beside s8"}} {
		in.Edits = map[string]any{"move_steps": m}
		if _, err := Compile(in); fault.CodeOf(err) != fault.InvalidRequest {
			t.Errorf("%v: %v", m, err)
		}
	}
}

func TestMergeEdits(t *testing.T) {
	before := map[string]any{"constants": map[string]any{"p1": "EUR", "p2": ""}, "drop_steps": []any{"s1"}, "title": "A",
		"inputs": []any{"p3"}}
	got := decision.MergeEdits(before, map[string]any{"inputs": []any{"p1"}, "drop_steps": []any{"s2", "s1"}, "title": nil})
	want := map[string]any{"constants": map[string]any{"p2": ""}, "drop_steps": []any{"s1", "s2"}, "inputs": []any{"p3", "p1"}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	got = decision.MergeEdits(got, map[string]any{"constants": map[string]any{"p3": "x"}})
	if d := cmp.Diff([]any{"p1"}, got["inputs"]); d != "" {
		t.Error(d)
	}
}
