package credential

import (
	"context"
	"slices"
	"strings"

	"showhow/daemon/journal"
	"showhow/internal/fault"
)

// pendingPrefix marks a value that a run obtained: no name that a person or a skill can write starts with it, so no
// run is given such a value.
const pendingPrefix = "pending/"

func pendingName(owner, name string) string { return pendingPrefix + owner + "/" + name }

// pendingOf returns the owner and the name of a pending row.
func pendingOf(row string) (owner, name string, ok bool) {
	rest, ok := strings.CutPrefix(row, pendingPrefix)
	if !ok {
		return "", "", false
	}
	return strings.Cut(rest, "/")
}

// Pend keeps a value that an agent's run obtained for a skill until a person approves the skill with that credential.
func (s *Service) Pend(ctx context.Context, owner, name, value string) error {
	if Variable(name) == "" || strings.Contains(owner, "/") || owner == "" {
		return fault.New(fault.InvalidRequest, "a credential of this name could not be delivered")
	}
	_, err := s.set(ctx, pendingName(owner, name), value, nil, "A credential that an agent's run obtained waits for a person.")
	return err
}

// Pending lists the names that wait for the approval of a skill.
func (s *Service) Pending(ctx context.Context, owner string) ([]string, error) {
	var rows []Row
	if err := s.o.Store.View(ctx, func(tx Tx) (err error) { rows, err = tx.Credentials(); return err }); err != nil {
		return nil, err
	}
	names := []string{}
	for _, r := range rows {
		if o, name, ok := pendingOf(r.Name); ok && o == owner {
			names = append(names, name)
		}
	}
	return names, nil
}

// Accept saves those pending values of a skill that a person granted. If a value is stored under the name already, it
// is the person's: it stays, and the pending one is dropped.
func (s *Service) Accept(ctx context.Context, owner string, granted []string) error {
	names, err := s.Pending(ctx, owner)
	if err != nil {
		return err
	}
	for _, name := range names {
		if !slices.Contains(granted, name) {
			continue
		}
		if err := s.accept(ctx, owner, name); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) accept(ctx context.Context, owner, name string) error {
	if s.o.Keychain == nil {
		return noKeychain()
	}
	value, err := s.o.Keychain.Get(ctx, pendingName(owner, name))
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	if err == nil {
		switch _, there := s.o.Keychain.Get(ctx, name); {
		case there == nil:
		case fault.Is(there, fault.NotFound):
			if _, err := s.Set(ctx, name, value, nil); err != nil {
				return err
			}
		default:
			return there
		}
	}
	return s.drop(ctx, owner, name)
}

// DropAll drops every pending value of any skill. left names those that could not be deleted, by their keychain names.
func (s *Service) DropAll(ctx context.Context) (left []string, err error) {
	return s.dropWhere(ctx, func(string) bool { return true })
}

// Sweep drops the pending values of skills that are gone, whose removal was interrupted before it reached the
// keychain. If there are none, the keychain is not touched.
func (s *Service) Sweep(ctx context.Context, there func(owner string) bool) (left []string, err error) {
	return s.dropWhere(ctx, func(owner string) bool { return !there(owner) })
}

func (s *Service) dropWhere(ctx context.Context, orphaned func(owner string) bool) (left []string, err error) {
	var rows []Row
	if err := s.o.Store.View(ctx, func(tx Tx) (err error) { rows, err = tx.Credentials(); return err }); err != nil {
		return nil, err
	}
	for _, r := range rows {
		if owner, name, ok := pendingOf(r.Name); ok && orphaned(owner) && s.drop(ctx, owner, name) != nil {
			left = append(left, r.Name)
		}
	}
	return left, nil
}

// Drop drops the pending values of a skill that was rejected or removed.
func (s *Service) Drop(ctx context.Context, owner string) error {
	names, err := s.Pending(ctx, owner)
	for _, name := range names {
		if err == nil {
			err = s.drop(ctx, owner, name)
		}
	}
	return err
}

func (s *Service) drop(ctx context.Context, owner, name string) error {
	row := pendingName(owner, name)
	return s.change(ctx, row, nil, func(Row, bool) error {
		err := s.o.Keychain.Delete(ctx, row)
		if fault.Is(err, fault.NotFound) {
			err = nil
		}
		return err
	}, func(tx Tx) error {
		if err := tx.DeleteCredential(row); err != nil {
			return err
		}
		return tell(tx, journal.CredentialRemoved, "A credential that waited for a person waits no longer.", name)
	})
}
