package category_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"showhow/daemon/category"
	"showhow/internal/fault"
	"showhow/store"
)

func service(t *testing.T) (s *category.Service, changes *int) {
	t.Helper()
	db, err := store.Open(t.Context(), store.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	changes = new(int)
	return category.New(category.Options{Store: db.Categories(), Changed: func() {
		*changes++
	}, Resolve: func(_ context.Context, kind, id string) (string, error) {
		if id == "gone" {
			return "", fault.New(fault.NotFound, "there is no such skill")
		}
		return kind + ":" + id, nil
	}}), changes
}

func want(t *testing.T, err error, code fault.Code) {
	t.Helper()
	if !fault.Is(err, code) {
		t.Errorf("got %v, want %s", err, code)
	}
}

func TestTitlesAreUniqueRegardlessOfCaseAndForm(t *testing.T) {
	s, _ := service(t)
	c, err := s.Create(t.Context(), category.Request{Title: "  Büro \t Ende "})
	if err != nil || c.Title != "Büro Ende" || c.Color != category.DefaultColor || c.Revision != 1 {
		t.Fatalf("%+v %v", c, err)
	}
	for _, same := range []string{"BÜRO ENDE", "bu\u0308ro ende", "Büro Ende"} {
		_, err := s.Create(t.Context(), category.Request{Title: same})
		want(t, err, fault.NameTaken)
	}
	_, err = s.Create(t.Context(), category.Request{Title: " \t "})
	want(t, err, fault.InvalidRequest)
	other, err := s.Create(t.Context(), category.Request{Title: "Other", Color: "#000000"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Update(t.Context(), other.CategoryID, category.Request{Title: "büro ende"}, nil)
	want(t, err, fault.NameTaken)
	c, err = s.Update(t.Context(), c.CategoryID, category.Request{Title: "büro ende"}, new(1)) // its own title in other letters
	if err != nil || c.Revision != 2 || c.Title != "büro ende" {
		t.Errorf("%+v %v", c, err)
	}
	_, err = s.Update(t.Context(), c.CategoryID, category.Request{Title: "x"}, new(1))
	want(t, err, fault.RevisionConflict)
	want(t, s.Delete(t.Context(), "00000000-0000-0000-0000-000000000000", nil), fault.NotFound)
}

func TestAssignmentsAndTheirEvents(t *testing.T) {
	s, changes := service(t)
	a, _ := s.Create(t.Context(), category.Request{Title: "A"})
	b, _ := s.Create(t.Context(), category.Request{Title: "B"})
	*changes = 0
	for _, c := range []string{a.CategoryID, b.CategoryID, a.CategoryID} {
		if _, err := s.Assign(t.Context(), c, "skill", "x"); err != nil {
			t.Fatal(err)
		}
	}
	if *changes != 2 {
		t.Errorf("told %d times of two changes", *changes)
	}
	_, err := s.Assign(t.Context(), a.CategoryID, "skill", "gone")
	want(t, err, fault.NotFound)
	_, err = s.Assign(t.Context(), "00000000-0000-0000-0000-000000000000", "skill", "x")
	want(t, err, fault.NotFound)
	of, err := s.Of(t.Context())
	if err != nil || len(of) != 1 || len(of["skill:x"]) != 2 {
		t.Errorf("%v %v", of, err)
	}
	if err := s.Delete(t.Context(), a.CategoryID, new(1)); err != nil {
		t.Fatal(err)
	}
	if items, err := s.Items(t.Context(), b.CategoryID); err != nil || len(items) != 1 {
		t.Errorf("%v %v", items, err)
	}
	_, err = s.Items(t.Context(), a.CategoryID)
	want(t, err, fault.NotFound)
	if _, err := s.Unassign(t.Context(), b.CategoryID, "skill", "x"); err != nil {
		t.Error(err)
	}
	_, err = s.Unassign(t.Context(), b.CategoryID, "skill", "x")
	want(t, err, fault.NotFound)
}

func TestThereAreAtMostAHundred(t *testing.T) {
	s, _ := service(t)
	for i := range category.MaxCategories {
		if _, err := s.Create(t.Context(), category.Request{Title: fmt.Sprint(i)}); err != nil {
			t.Fatal(err)
		}
	}
	_, err := s.Create(t.Context(), category.Request{Title: "one more"})
	want(t, err, fault.CategoryLimitReached)
	if f := (*fault.Error)(nil); !errors.As(err, &f) || f.Details["limit"] != category.MaxCategories {
		t.Errorf("%v", err)
	}
}
