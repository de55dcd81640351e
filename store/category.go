package store

import (
	"context"

	"showhow/daemon/category"
	"showhow/internal/clock"
)

// Categories returns the storage of package category.
func (r rooms) Categories() category.Store { return categoryStore{r.store} }

type categoryStore struct{ s *Store }

func (c categoryStore) Update(ctx context.Context, fn func(category.Tx) error) error {
	return c.s.Update(ctx, func(tx *Tx) error { return fn(categoryTx{tx}) })
}

func (c categoryStore) View(ctx context.Context, fn func(category.Tx) error) error {
	return c.s.View(ctx, func(tx *Tx) error { return fn(categoryTx{tx}) })
}

// categoryTx is Tx with the methods of package category.
type categoryTx struct{ *Tx }

func (tx categoryTx) PutCategory(c category.Category, key string) (bool, error) {
	taken := 0
	if err := tx.scalar(&taken, `SELECT count(*) FROM categories WHERE title_key=? AND category_id<>?`, key, c.CategoryID); err != nil ||
		taken > 0 {
		return false, err
	}
	return true, tx.put("categories", "category_id", c.CategoryID, map[string]any{"title_key": key, "created_at": c.CreatedAt.String()}, c)
}

func (tx categoryTx) Categories() ([]category.Category, error) {
	out, err := list[category.Category](tx.Tx, `SELECT body FROM categories ORDER BY created_at, category_id`)
	for i := range out {
		if err == nil {
			err = tx.count(&out[i])
		}
	}
	return out, err
}

func (tx categoryTx) Category(id string) (category.Category, bool, error) {
	c, ok, err := one[category.Category](tx.Tx, `SELECT body FROM categories WHERE category_id=?`, id)
	if err == nil && ok {
		err = tx.count(&c)
	}
	return c, ok, err
}

func (tx categoryTx) count(c *category.Category) error {
	return tx.scalar(&c.Items, `SELECT count(*) FROM category_assignments WHERE category_id=?`, c.CategoryID)
}

func (tx categoryTx) DeleteCategory(id string) error {
	if _, err := tx.exec(`DELETE FROM category_assignments WHERE category_id=?`, id); err != nil {
		return err
	}
	_, err := tx.exec(`DELETE FROM categories WHERE category_id=?`, id)
	return err
}

func (tx categoryTx) PutAssignment(a category.Assignment) (bool, error) {
	n, err := tx.exec(`INSERT INTO category_assignments(category_id, item_kind, item_id, assigned_at) VALUES(?,?,?,?) ON CONFLICT DO NOTHING`,
		a.CategoryID, a.ItemKind, a.ItemID, a.AssignedAt.String())
	return n == 1, err
}

func (tx categoryTx) DeleteAssignment(id, kind, itemID string) (bool, error) {
	n, err := tx.exec(`DELETE FROM category_assignments WHERE category_id=? AND item_kind=? AND item_id=?`, id, kind, itemID)
	return n == 1, err
}

func (tx categoryTx) Assignments(id string) (out []category.Assignment, err error) {
	rows, err := tx.tx.QueryContext(tx.ctx, `SELECT category_id, item_kind, item_id, assigned_at FROM category_assignments
		WHERE ?1='' OR category_id=?1 ORDER BY assigned_at, item_kind, item_id, category_id`, id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var a category.Assignment
		var at string
		if err := rows.Scan(&a.CategoryID, &a.ItemKind, &a.ItemID, &at); err != nil {
			return nil, err
		}
		if a.AssignedAt, err = clock.Parse(at); err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	return out, rows.Err()
}
