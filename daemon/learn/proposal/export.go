package proposal

import (
	"cmp"
	"context"

	"showhow/daemon/compile"
	"showhow/daemon/interchange"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// ExportProposal writes the browser part of the current revision. The given values are used and not kept.
func (s *Reader) ExportProposal(ctx context.Context, m state.Meta, id string, r wire.ProposalExportRequest) (wire.ProposalExport, error) {
	if err := state.UserOnly(m); err != nil {
		return wire.ProposalExport{}, err
	}
	var out compile.Output
	err := s.d.Store.View(ctx, func(tx state.Tx) error {
		p, ok, err := tx.Proposal(id)
		if err != nil || !ok {
			return cmp.Or(err, state.ProposalNotFound())
		}
		rev, ok, err := tx.Revision(id, p.Revision)
		if err != nil || !ok {
			return cmp.Or[error](err, fault.New(fault.NotFound, "nothing has been drafted yet"))
		}
		out = rev.Output
		return nil
	})
	if err != nil {
		return wire.ProposalExport{}, err
	}
	x, err := interchange.Write(r.Format, out.Title, out.Slug, out.Graph, r.Values)
	if err != nil {
		return wire.ProposalExport{}, err
	}
	return wire.ProposalExport{FileName: x.FileName, Content: x.Content, Notes: append([]string{}, x.Notes...), SchemaVersion: 1}, nil
}
