package install

import (
	"context"

	"showhow/daemon/learn/change"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// RecoverSagas asks what became of installations that were under way.
func (s *Service) RecoverSagas(ctx context.Context) error {
	for page := 1; ; page++ {
		list, err := s.d.Query.Sessions(ctx, wire.SessionFilter{PageQuery: wire.PageQuery{Page: page, PageSize: 100}})
		if err != nil {
			return err
		}
		for _, sess := range list.Sessions {
			if sess.SagaID != "" && sess.ExampleOf == "" {
				if err := s.recoverSaga(ctx, sess); err != nil {
					return err
				}
			}
		}
		if page*list.PageSize >= list.Total {
			return nil
		}
	}
}

func (s *Service) recoverSaga(ctx context.Context, sess state.Session) error {
	outcome, err := s.d.Installer.Saga(ctx, sess.SagaID)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	return s.d.Changes.Update(ctx, state.SystemMeta(), func(u *change.Set) error {
		if outcome.State == "completed" {
			return installed(u, sess.ProposalID, sess.SagaID, outcome.Result)
		}
		code := fault.Code(outcome.FailedCode)
		if code == "" {
			code = fault.Internal
		}
		return installFailed(u, sess.ProposalID, sess.SagaID, code, outcome.State == "compensated")
	})
}
