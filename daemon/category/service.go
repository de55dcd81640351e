package category

import (
	"context"
	"errors"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"showhow/daemon/journal"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// Options configures a Service.
type Options struct {
	Store Store
	// Resolve finds the item that a person names and its permanent id, or returns an error. Nil accepts every id.
	Resolve func(ctx context.Context, kind, id string) (string, error)
	Changed func() // called when assignments have changed; may be nil
	Now     func() clock.Time
	NewID   func() string
}

// Service provides every operation on categories. Permission to call is the caller's business.
type Service struct{ o Options }

// New makes a service.
func New(o Options) *Service {
	if o.Resolve == nil {
		o.Resolve = func(_ context.Context, _, id string) (string, error) { return id, nil }
	}
	if o.Changed == nil {
		o.Changed = func() {}
	}
	if o.Now == nil {
		o.Now = clock.Now
	}
	if o.NewID == nil {
		o.NewID = clock.NewID
	}
	return &Service{o}
}

func notFound() error {
	return fault.New(fault.NotFound, "there is no such category").WithHint("`showhow category list` names them")
}

// List lists every category, oldest first.
func (s *Service) List(ctx context.Context) (out []Category, err error) {
	err = s.o.Store.View(ctx, func(tx Tx) (err error) { out, err = tx.Categories(); return err })
	if out == nil {
		out = []Category{}
	}
	return out, err
}

// Create creates a category.
func (s *Service) Create(ctx context.Context, r Request) (Category, error) {
	if r.Color == "" {
		r.Color = DefaultColor
	}
	now := s.o.Now()
	c := Category{CategoryID: s.o.NewID(), CreatedAt: now, SchemaVersion: 1}
	err := s.change(ctx, journal.CategoryCreated, "A category was made.", &c, func(tx Tx) error {
		all, err := tx.Categories()
		if err == nil && len(all) >= MaxCategories {
			err = fault.New(fault.CategoryLimitReached, "there are 100 categories, and no more are kept").
				WithHint("delete one that you no longer need").WithDetail("limit", MaxCategories)
		}
		if err != nil {
			return err
		}
		return put(tx, &c, r, now)
	})
	return c, err
}

// Update changes title and colour.
func (s *Service) Update(ctx context.Context, id string, r Request, rev *int) (Category, error) {
	var c Category
	err := s.change(ctx, journal.CategoryUpdated, "A category was changed.", &c, func(tx Tx) (err error) {
		if c, err = read(tx, id, rev); err != nil {
			return err
		}
		if r.Color == "" {
			r.Color = c.Color
		}
		return put(tx, &c, r, s.o.Now())
	})
	return c, err
}

func put(tx Tx, c *Category, r Request, now clock.Time) error {
	title := strings.Join(strings.Fields(r.Title), " ")
	if title == "" {
		return fault.New(fault.InvalidRequest, "a category needs a title")
	}
	c.Title, c.Color, c.UpdatedAt = title, r.Color, now
	c.Revision++
	free, err := tx.PutCategory(*c, cases.Fold().String(norm.NFKC.String(title)))
	if err == nil && !free {
		err = fault.New(fault.NameTaken, "a category of this title exists").WithHint("choose another title")
	}
	return err
}

func read(tx Tx, id string, rev *int) (Category, error) {
	c, ok, err := tx.Category(id)
	switch {
	case err == nil && !ok:
		err = notFound()
	case err == nil && rev != nil && *rev != c.Revision:
		err = fault.New(fault.RevisionConflict, "the category was changed meanwhile").WithHint("look at it again and repeat").
			WithDetail("current_revision", c.Revision)
	}
	return c, err
}

// Delete removes a category and its assignments; its items stay.
func (s *Service) Delete(ctx context.Context, id string, rev *int) error {
	var c Category
	return s.change(ctx, journal.CategoryDeleted, "A category was deleted. What was in it stays.", &c, func(tx Tx) (err error) {
		if c, err = read(tx, id, rev); err != nil {
			return err
		}
		in, err := tx.Assignments(id)
		if err != nil {
			return err
		}
		for _, a := range in {
			if err := tx.AppendLine(AssignmentsPath, line{a, "removed", s.o.Now()}); err != nil {
				return err
			}
		}
		return tx.DeleteCategory(id)
	})
}

// Assign assigns an item to a category; assigning it again changes nothing.
func (s *Service) Assign(ctx context.Context, id, kind, itemID string) (a Assignment, err error) {
	if itemID, err = s.o.Resolve(ctx, kind, itemID); err != nil {
		return a, err
	}
	a = Assignment{CategoryID: id, ItemKind: kind, ItemID: itemID, AssignedAt: s.o.Now()}
	err = s.assignment(ctx, &a, journal.CategoryAssigned, "assigned", func(tx Tx) (bool, error) { return tx.PutAssignment(a) })
	return a, err
}

// alias maps the two kinds of an installed skill to each other.
var alias = map[string]string{"skill": "learned_ability", "learned_ability": "skill"}

// Unassign removes an item from a category.
func (s *Service) Unassign(ctx context.Context, id, kind, itemID string) (a Assignment, err error) {
	if known, err := s.o.Resolve(ctx, kind, itemID); err == nil { // a deleted item can be unassigned too
		itemID = known
	}
	a = Assignment{CategoryID: id, ItemKind: kind, ItemID: itemID, AssignedAt: s.o.Now()}
	err = s.assignment(ctx, &a, journal.CategoryUnassigned, "removed", func(tx Tx) (bool, error) {
		removed, err := tx.DeleteAssignment(id, kind, itemID)
		if other := alias[kind]; err == nil && other != "" {
			var too bool
			too, err = tx.DeleteAssignment(id, other, itemID)
			removed = removed || too
		}
		if err == nil && !removed {
			err = fault.New(fault.NotFound, "the item is not in this category")
		}
		return removed, err
	})
	return a, err
}

// Follow assigns the successor of an item to every category of the item: the skill made from a categorised draft is
// categorised too.
func (s *Service) Follow(ctx context.Context, from, kind, to string) error {
	of, err := s.Of(ctx)
	for _, id := range of[from] {
		if _, e := s.Assign(ctx, id, kind, to); e != nil {
			err = errors.Join(err, e)
		}
	}
	return err
}

func (s *Service) assignment(ctx context.Context, a *Assignment, kind journal.EventKind, action string, do func(Tx) (bool, error)) error {
	changed := false
	err := s.o.Store.Update(ctx, func(tx Tx) (err error) {
		if _, err := read(tx, a.CategoryID, nil); err != nil {
			return err
		}
		if changed, err = do(tx); err != nil || !changed {
			return err
		}
		if err := tx.AppendLine(AssignmentsPath, line{*a, action, s.o.Now()}); err != nil {
			return err
		}
		return s.tell(tx, kind, "What is in a category was changed.",
			map[string]any{"category_id": a.CategoryID, "item_kind": a.ItemKind, "item_id": a.ItemID})
	})
	if err == nil && changed {
		s.o.Changed()
	}
	return err
}

// Items lists what is in a category, oldest assignment first.
func (s *Service) Items(ctx context.Context, id string) (out []Assignment, err error) {
	err = s.o.Store.View(ctx, func(tx Tx) (err error) {
		if _, err = read(tx, id, nil); err != nil {
			return err
		}
		out, err = tx.Assignments(id)
		return err
	})
	if out == nil {
		out = []Assignment{}
	}
	return out, err
}

// Of returns the categories of every item that has one, by item id.
func (s *Service) Of(ctx context.Context) (map[string][]string, error) {
	out := map[string][]string{}
	err := s.o.Store.View(ctx, func(tx Tx) error {
		all, err := tx.Assignments("")
		for _, a := range all {
			out[a.ItemID] = append(out[a.ItemID], a.CategoryID)
		}
		return err
	})
	return out, err
}

// change is one change of a category with receipt, event and canonical file.
func (s *Service) change(ctx context.Context, kind journal.EventKind, summary string, c *Category, do func(Tx) error) error {
	err := s.o.Store.Update(ctx, func(tx Tx) error {
		if err := do(tx); err != nil {
			return err
		}
		all, err := tx.Categories()
		if err != nil {
			return err
		}
		if all == nil {
			all = []Category{}
		}
		if err := tx.PutFile(CurrentPath, current{all, 1}); err != nil {
			return err
		}
		return s.tell(tx, kind, summary, map[string]any{"category_id": c.CategoryID})
	})
	if err == nil {
		s.o.Changed()
	}
	return err
}

func (s *Service) tell(tx Tx, kind journal.EventKind, summary string, payload map[string]any) error {
	if err := tx.AddReceipt(journal.Receipt{Kind: kind, Summary: summary}); err != nil {
		return err
	}
	return tx.Emit(journal.Event{Kind: kind, Payload: payload})
}
