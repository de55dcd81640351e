package drafting

import (
	"context"
	"os"
	"path/filepath"

	"showhow/daemon/learn/state"
	"showhow/daemon/skill"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// writeDraft writes a draft's files below the memory root.
func (s *Service) writeDraft(folder string, b skill.Bundle) error {
	dir := filepath.Join(s.d.MemoryRoot, filepath.FromSlash(folder))
	if err := os.RemoveAll(filepath.Dir(dir)); err != nil { // of a revision that was never stored, maybe under another name
		return fault.Wrap(err, fault.Internal, "an old draft could not be replaced").WithHint("check the folder's permissions")
	}
	return b.WriteTo(dir, true)
}

// removeDrafts deletes the draft files of a proposal.
func (s *Service) removeDrafts(proposalID string) error {
	return os.RemoveAll(filepath.Join(s.d.MemoryRoot, "system", "learning", "proposals", proposalID))
}

// ArchiveDrafts moves the draft files of a proposal next to its archived record.
func (s *Service) ArchiveDrafts(proposalID string) {
	root := filepath.Join(s.d.MemoryRoot, "system", "learning")
	to := filepath.Join(root, "archived", "proposals")
	err := os.MkdirAll(to, 0o700)
	if err == nil {
		err = os.Rename(filepath.Join(root, "proposals", proposalID), filepath.Join(to, proposalID))
	}
	if err != nil && !os.IsNotExist(err) {
		s.d.Log.Warn("draft files could not be archived", "proposal", proposalID)
	}
}

// RestoreDrafts rewrites missing files of current drafts from the store.
func (s *Service) RestoreDrafts(ctx context.Context) error {
	for page := 1; ; page++ {
		list, err := s.d.Proposals.Proposals(ctx, wire.ProposalFilter{PageQuery: wire.PageQuery{Page: page, PageSize: 100}})
		if err != nil {
			return err
		}
		for _, p := range list.Proposals {
			if err := s.restoreDraft(ctx, p); err != nil {
				return err
			}
		}
		if page*list.PageSize >= list.Total {
			return nil
		}
	}
}

func (s *Service) restoreDraft(ctx context.Context, p state.Proposal) error {
	if p.Revision == 0 {
		return nil
	}
	if _, err := os.Stat(filepath.Join(s.d.MemoryRoot, filepath.FromSlash(p.DraftSkillPath))); !os.IsNotExist(err) {
		return nil // there, or unreadable: not ours to judge here
	}
	_, rev, _, err := s.d.Proposals.Drafted(ctx, p.ProposalID)
	if err != nil {
		return err
	}
	return s.writeDraft(rev.Folder, rev.Output.Bundle)
}

// SweepDrafts removes draft files that belong to no stored revision.
func (s *Service) SweepDrafts(ctx context.Context) error {
	root := filepath.Join(s.d.MemoryRoot, "system", "learning", "proposals")
	entries, err := os.ReadDir(root)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return fault.Wrap(err, fault.Internal, "the drafts' folder cannot be read").WithHint("check the folder's permissions")
	}
	for _, e := range entries {
		if e.IsDir() {
			if err := s.sweepDraft(ctx, e.Name()); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Service) sweepDraft(ctx context.Context, proposalID string) error {
	var infos []wire.RevisionInfo
	known := false
	err := s.d.Store.View(ctx, func(tx state.Tx) (err error) {
		if _, known, err = tx.Proposal(proposalID); err != nil {
			return err
		}
		infos, err = tx.RevisionInfos(proposalID)
		return err
	})
	if err != nil {
		return err
	}
	if !known {
		return s.removeDrafts(proposalID)
	}
	stored := map[string]bool{}
	for _, i := range infos {
		stored[filepath.Base(filepath.Dir(filepath.Dir(filepath.FromSlash(i.DraftSkillPath))))] = true
	}
	dir := filepath.Join(s.d.MemoryRoot, "system", "learning", "proposals", proposalID)
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if err == nil && !stored[e.Name()] {
			err = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
	return err
}
