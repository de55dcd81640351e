package contract

import (
	"context"
	"fmt"
	"strings"

	"showhow/daemon/journal"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// decided are the receipts of what a person decided.
var decided = strings.Join([]string{string(journal.ProposalApproved), string(journal.ProposalRejected), string(journal.AbilityApproved),
	string(journal.AbilityRejected), string(journal.AbilityPermissions), string(journal.AbilityPromoted), string(journal.AbilityRemoved),
	string(journal.SkillImported), string(journal.SkillPushed)}, ",")

// mostLooked bounds how far back a person's record is searched for one entry.
const mostLooked = 10

func (s *Service) sessions(ctx context.Context, q Request) (*Envelope, error) {
	l, err := s.o.Record.Sessions(ctx, wire.SessionFilter{PageQuery: wire.PageQuery{Page: 1, PageSize: 100}})
	if err != nil {
		return nil, err
	}
	rows := []any{}
	for _, x := range l.Sessions {
		if len(rows) < q.limit() && q.within(x.CreatedAt.Time) && (q.FromID == "" || q.FromID == x.LearnSessionID) {
			rows = append(rows, project(map[string]any{"learn_session_id": x.LearnSessionID, "state": string(x.State), "created_at": x.CreatedAt,
				"entry_mode": string(x.EntryMode), "source_kind": "observed"}, q.Fields))
		}
	}
	return s.list(q, "sessions", rows, "observed"), nil
}

// list is the answer of a list of one source.
func (s *Service) list(q Request, source string, rows []any, provenance string) *Envelope {
	result := map[string]any{"found": len(rows) > 0, source: rows, "count": len(rows)}
	if len(rows) > 0 { // nothing is from nobody
		result["provenance"] = provenance
	}
	return s.of(q, source, result, fmt.Sprintf("%d %s.", len(rows), source))
}

// receipts lists the record, or the decisions in it; a decision that is named has the form of section 6.
func (s *Service) receipts(ctx context.Context, q Request) (*Envelope, error) {
	kind := ""
	if q.FromKind != "receipt" {
		kind = decided
	}
	rows := []any{}
	for page := 1; page <= mostLooked; page++ {
		l, err := s.o.Record.Receipts(ctx, wire.ReceiptFilter{PageQuery: wire.PageQuery{Page: page, PageSize: 100}, Kind: kind})
		if err != nil {
			return nil, err
		}
		for _, r := range l.Receipts {
			if q.FromID != "" && r.ReceiptID != q.FromID || !q.within(r.CreatedAt.Time) || len(rows) >= q.limit() {
				continue
			}
			rows = append(rows, map[string]any{"receipt_id": r.ReceiptID, "decision": r.Summary, "kind": r.Kind, "recipient": "",
				"decision_date": r.CreatedAt, "confidence": 1.0, "source_kind": "user_authored", "evidence_refs": []string{}})
		}
		if page*100 >= l.Total || len(rows) >= q.limit() {
			break
		}
	}
	if q.FromKind != "decision" || q.FromID == "" {
		return s.list(q, "receipts", rows, "user_authored"), nil
	}
	if len(rows) == 0 {
		return nil, fault.New(fault.NotFound, "there is no such decision")
	}
	return s.of(q, "receipts", map[string]any{"from_kind": "decision", "audit_ref": q.FromID, "found": true, "evaluations": rows,
		"provenance": "user_authored"}, "One decision."), nil
}

func (s *Service) connectors(ctx context.Context, q Request) (*Envelope, error) {
	l, err := s.o.Connectors.List(ctx)
	if err != nil {
		return nil, err
	}
	rows := []any{}
	for _, x := range l.Servers[:min(len(l.Servers), q.limit())] {
		if q.FromID == "" || q.FromID == x.Registry.ServerID {
			rows = append(rows, project(map[string]any{"server_id": x.Registry.ServerID, "display_name": x.Registry.DisplayName,
				"badges": x.BadgeStates, "tools": len(x.Tools), "source_kind": "user_authored"}, q.Fields))
		}
	}
	return s.list(q, "connectors", rows, "user_authored"), nil
}
