package acceptance_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"showhow/daemon/client"
	"showhow/internal/fault"
)

// categoriesOf is what the catalog says of a skill.
func (w *world) categoriesOf(id string) []string {
	w.t.Helper()
	for _, e := range got(w.c.Catalog(w.t.Context()))(w.t).Items {
		if e.AbilityID == id {
			return e.CategoryIDs
		}
	}
	w.t.Fatal("it is not in the catalog")
	return nil
}

func TestR11_2_41_CategoryHoldsASkill(t *testing.T) {
	t.Parallel()
	w := begin(t)
	a, _ := w.installed()
	c := got(w.c.CreateCategory(t.Context(), client.CategoryRequest{Title: " Month  end "}))(t)
	if c.Title != "Month end" || c.Color != "#6366F1" || c.Revision != 1 {
		t.Errorf("%+v", c)
	}
	got(w.c.AssignCategory(t.Context(), c.CategoryID, "skill", a.SkillSlug))(t)
	items := got(w.c.CategoryItems(t.Context(), c.CategoryID))(t).Items
	if len(items) != 1 || items[0].ItemID != a.AbilityID || items[0].ItemKind != "skill" {
		t.Errorf("%+v", items)
	}
	if ids := w.categoriesOf(a.AbilityID); !slices.Equal(ids, []string{c.CategoryID}) {
		t.Errorf("the catalog says %v", ids)
	}
	canonical(w, "abilities/catalog_current.json", func(c client.Catalog) bool {
		return len(c.Items) > 0 && len(c.Items[0].CategoryIDs) == 1
	})
	canonical(w, "categories/categories_current.json", func(c client.Categories) bool { return len(c.Categories) == 1 })

	got(w.c.AssignCategory(t.Context(), c.CategoryID, "skill", a.AbilityID))(t) // again: it stays in it, once
	if n := len(lines[map[string]any](w, "categories/assignments.jsonl")); n != 1 {
		t.Errorf("%d lines for one assignment", n)
	}
	_, err := w.c.AssignCategory(t.Context(), c.CategoryID, "skill", "no-such-skill")
	refused(t, err, fault.NotFound)
	_, err = w.agent("helper").CreateCategory(t.Context(), client.CategoryRequest{Title: "Mine"})
	refused(t, err, fault.Forbidden)
	all := w.listen("", 0)
	x := got(w.c.UnassignCategory(t.Context(), c.CategoryID, "skill", a.SkillSlug))(t)
	if x.Assigned || len(w.categoriesOf(a.AbilityID)) != 0 {
		t.Errorf("%+v", x)
	}
	all.await("category.unassigned")
	_, err = w.c.UnassignCategory(t.Context(), c.CategoryID, "skill", a.SkillSlug)
	refused(t, err, fault.NotFound)
	// The older form of the path is no route.
	if r := w.send(http.MethodDelete, "/api/categories/"+c.CategoryID+"/assign/"+a.AbilityID, "", false); r.status != http.StatusNotFound &&
		r.status != http.StatusMethodNotAllowed {
		t.Errorf("the legacy route answers %d", r.status)
	}
}

func TestR11_2_42_CategoriesOverlap(t *testing.T) {
	t.Parallel()
	w := begin(t)
	a, _ := w.installed()
	var ids []string
	for _, title := range []string{"Orders", "Daily", "Litigation"} {
		c := got(w.c.CreateCategory(t.Context(), client.CategoryRequest{Title: title, Color: "#00ff7F"}))(t)
		got(w.c.AssignCategory(t.Context(), c.CategoryID, "learned_ability", a.AbilityID))(t)
		ids = append(ids, c.CategoryID)
	}
	have := w.categoriesOf(a.AbilityID)
	slices.Sort(have)
	slices.Sort(ids)
	if !slices.Equal(have, ids) {
		t.Errorf("%v, want %v", have, ids)
	}
	_, err := w.c.CreateCategory(t.Context(), client.CategoryRequest{Title: "ORDERS"})
	refused(t, err, fault.NameTaken)
	_, err = w.c.CreateCategory(t.Context(), client.CategoryRequest{Title: "Red", Color: "red"})
	refused(t, err, fault.InvalidRequest)
}

func TestR11_2_43_DeletingACategoryRemovesItsAssignments(t *testing.T) {
	t.Parallel()
	w := begin(t)
	a, _ := w.installed()
	gone := got(w.c.CreateCategory(t.Context(), client.CategoryRequest{Title: "Gone"}))(t)
	stays := got(w.c.CreateCategory(t.Context(), client.CategoryRequest{Title: "Stays"}))(t)
	for _, c := range []client.Category{gone, stays} {
		got(w.c.AssignCategory(t.Context(), c.CategoryID, "skill", a.AbilityID))(t)
		got(w.c.AssignCategory(t.Context(), c.CategoryID, "automation", "nightly"))(t)
	}
	renamed := got(w.c.UpdateCategory(t.Context(), gone.CategoryID, client.CategoryRequest{Title: "Soon gone"}, client.IfMatch(1)))(t)
	if renamed.Title != "Soon gone" || renamed.Color != gone.Color || renamed.Items != 2 {
		t.Errorf("%+v", renamed)
	}
	_, err := w.c.DeleteCategory(t.Context(), gone.CategoryID, client.IfMatch(1))
	refused(t, err, fault.RevisionConflict)
	got(w.c.DeleteCategory(t.Context(), gone.CategoryID))(t)
	if ids := w.categoriesOf(a.AbilityID); !slices.Equal(ids, []string{stays.CategoryID}) {
		t.Errorf("%v", ids)
	}
	_, err = w.c.CategoryItems(t.Context(), gone.CategoryID)
	refused(t, err, fault.NotFound)
	if l := got(w.c.CategoryItems(t.Context(), stays.CategoryID))(t); len(l.Items) != 2 {
		t.Errorf("%+v", l)
	}
	removed := 0
	w.until("the file says so", func() bool {
		removed = 0
		for _, l := range lines[map[string]any](w, "categories/assignments.jsonl") {
			if l["action"] == "removed" && l["category_id"] == gone.CategoryID {
				removed++
			}
		}
		return removed == 2
	})
	if r := w.receipts(client.ReceiptFilter{Kind: "category.deleted"}); len(r) != 1 {
		t.Errorf("receipts %+v", r)
	}
	// What is gone leaves nothing behind that cannot be taken out.
	got(w.c.DeleteAbility(t.Context(), a.AbilityID))(t)
	got(w.c.UnassignCategory(t.Context(), stays.CategoryID, "skill", a.AbilityID))(t)
}

func TestCategoryLimitReachedErrorRendered(t *testing.T) {
	t.Parallel()
	w := begin(t)
	for i := range 100 {
		got(w.c.CreateCategory(t.Context(), client.CategoryRequest{Title: fmt.Sprintf("Number %d", i)}))(t)
	}
	_, err := w.c.CreateCategory(t.Context(), client.CategoryRequest{Title: "One too many"})
	f := refused(t, err, fault.CategoryLimitReached)
	if f.Hint == "" || f.Details["limit"] != 100.0 || f.Code.Spec().HTTP != http.StatusConflict {
		t.Errorf("%+v", f)
	}
	l := got(w.c.Categories(t.Context()))(t).Categories
	if len(l) != 100 {
		t.Fatalf("%d categories", len(l))
	}
	got(w.c.UpdateCategory(t.Context(), l[0].CategoryID, client.CategoryRequest{Title: "Renamed"}))(t)
	got(w.c.DeleteCategory(t.Context(), l[1].CategoryID))(t)
	got(w.c.CreateCategory(t.Context(), client.CategoryRequest{Title: "One too many"}))(t)
}

// What was sorted before it was installed is sorted as the skill that it became, and nothing is sorted that is not there.
func TestDraftsAndBundlesStaySorted(t *testing.T) {
	t.Parallel()
	w := begin(t)
	ctx := t.Context()
	c := got(w.c.CreateCategory(ctx, client.CategoryRequest{Title: "Month end"}))(t)
	for _, kind := range []string{"proposal", "bundle"} {
		_, err := w.c.AssignCategory(ctx, c.CategoryID, kind, "0198b0de-0000-7000-8000-000000000000")
		refused(t, err, fault.NotFound)
	}

	d := w.reviewable()
	got(w.c.AssignCategory(ctx, c.CategoryID, "proposal", d.Proposal.ProposalID))(t)
	made := got(w.install(d))(t)
	if ids := w.categoriesOf(made.AbilityID); !slices.Equal(ids, []string{c.CategoryID}) {
		t.Errorf("the skill of a sorted draft: %v", ids)
	}
	got(w.c.UnassignCategory(ctx, c.CategoryID, "skill", made.AbilityID))(t)

	r := got(w.bringIn(zipped(t)))(t).ImportRecord
	got(w.c.AssignCategory(ctx, c.CategoryID, "bundle", r.ImportID))(t)
	got(w.c.StageSkillImport(ctx, r.ImportID))(t)
	out := got(w.c.ApproveSkillImport(ctx, client.ImportDecision{ImportID: r.ImportID, ContentHash: r.ContentHash}))(t)
	if ids := w.categoriesOf(out.ImportRecord.AbilityID); !slices.Equal(ids, []string{c.CategoryID}) {
		t.Errorf("the skill of a sorted bundle: %v", ids)
	}
}
