package install

import (
	"context"

	"showhow/daemon/learn/change"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// RecoverSagas settles installations that were running when the daemon ended.
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
	return s.d.Changes.Update(ctx, state.SystemMeta(), func(set *change.Set) error {
		if outcome.State == "completed" {
			return recordInstalled(set, sess.ProposalID, sess.SagaID, outcome.Result)
		}
		code := fault.Code(outcome.FailedCode)
		if code == "" {
			code = fault.Internal
		}
		return recordFailed(set, sess.ProposalID, sess.SagaID, code, outcome.State == "compensated")
	})
}
