package store

import (
	"context"
	"encoding/json"

	"showhow/daemon/connector"
	"showhow/daemon/journal"
	"showhow/internal/clock"
)

// Connectors returns the storage of the connector packages.
func (r rooms) Connectors() connector.Store { return connectorStore{r.store} }

type connectorStore struct{ s *Store }

func (c connectorStore) Update(ctx context.Context, fn func(connector.Tx) error) error {
	return c.s.Update(ctx, func(tx *Tx) error { return fn(connectorTx{tx}) })
}

func (c connectorStore) View(ctx context.Context, fn func(connector.Tx) error) error {
	return c.s.View(ctx, func(tx *Tx) error { return fn(connectorTx{tx}) })
}

// connectorTx is Tx with the methods of package connector.
type connectorTx struct{ *Tx }

func (tx connectorTx) PutRecord(kind connector.Kind, id string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = tx.exec(`INSERT INTO connector_records(kind, id, body) VALUES(?,?,?) ON CONFLICT(kind, id) DO UPDATE SET body=excluded.body`,
		string(kind), id, string(b))
	return err
}

func (tx connectorTx) Record(kind connector.Kind, id string, v any) (bool, error) {
	raw, ok, err := one[json.RawMessage](tx.Tx, `SELECT body FROM connector_records WHERE kind=? AND id=?`, string(kind), id)
	if err != nil || !ok {
		return false, err
	}
	return true, json.Unmarshal(raw, v)
}

func (tx connectorTx) Records(kind connector.Kind, each func(body []byte) error) error {
	all, err := list[json.RawMessage](tx.Tx, `SELECT body FROM connector_records WHERE kind=? ORDER BY id`, string(kind))
	for _, b := range all {
		if err == nil {
			err = each(b)
		}
	}
	return err
}

func (tx connectorTx) DeleteRecord(kind connector.Kind, id string) error {
	_, err := tx.exec(`DELETE FROM connector_records WHERE kind=? AND id=?`, string(kind), id)
	return err
}

func (tx connectorTx) AddConnectorReceipt(r connector.Receipt) error {
	if err := tx.putConnectorReceipt(r, true); err != nil {
		return err
	}
	if err := tx.Emit(journal.Event{Kind: journal.MCPReceipt, Payload: map[string]any{"server_id": r.ServerID, "kind": r.ReceiptKind,
		"receipt_id": r.ReceiptID}}); err != nil {
		return err
	}
	return tx.AppendLine(connector.ReceiptsPath, r)
}

func (tx *Tx) putConnectorReceipt(r connector.Receipt, settled bool) error {
	is := 0
	if settled {
		is = 1
	}
	return tx.put("connector_receipts", "receipt_id", r.ReceiptID, map[string]any{"server_id": null(r.ServerID), "kind": r.ReceiptKind,
		"settled": is}, r)
}

func (tx connectorTx) ConnectorReceipts(f connector.ReceiptFilter) ([]connector.Receipt, error) {
	w := where{}
	w.eq("server_id", f.ServerID)
	w.eq("kind", f.Kind)
	w.eq("json_extract(body,'$.call.agent')", f.Agent)
	if f.Before != "" {
		w.add("receipt_id<?", f.Before)
	}
	if f.Since != nil {
		w.add("receipt_id>=?", clock.FirstID(*f.Since))
	}
	if f.Until != nil {
		w.add("receipt_id<?", clock.FirstID(*f.Until))
	}
	return list[connector.Receipt](tx.Tx, "SELECT body FROM connector_receipts"+w.String()+" ORDER BY receipt_id DESC LIMIT ?",
		append(w.args, f.Limit)...)
}

func (tx connectorTx) Unsettled() ([]connector.Receipt, error) {
	return list[connector.Receipt](tx.Tx, `SELECT body FROM connector_receipts WHERE settled=0 ORDER BY receipt_id`)
}
