package store

import (
	"database/sql"
	"encoding/json"

	"github.com/google/uuid"

	"showhow/capture"
)

type observationRow struct {
	seq           int64
	id            []byte
	trace         traceKey
	event, action string
	before, after sql.NullString
}

type traceKey struct{ session, trace string }

// same represents an after state that equals the one before: most actions change nothing that a person could see.
const same = "="

func encodeRecord(r *capture.Record) (row observationRow, err error) {
	row.id = eventKey(r.Event.EventID)
	row.trace = traceKey{r.Event.LearnSessionID, r.TraceID}
	if row.event, err = encode(r.Event); err != nil {
		return row, err
	}
	if row.action, err = encode(r.Action); err != nil {
		return row, err
	}
	if r.Before != nil {
		row.before.Valid = true
		if row.before.String, err = encode(r.Before); err != nil {
			return row, err
		}
	}
	if r.After != nil {
		row.after.Valid = true
		if r.After == r.Before {
			row.after.String = same
		} else if row.after.String, err = encode(r.After); err != nil {
			return row, err
		} else if row.before == row.after {
			row.after.String = same
		}
	}
	return row, nil
}

func encode(v any) (string, error) {
	b, err := json.Marshal(v)
	return string(b), err
}

// eventKey is the 16 bytes of a UUID, or the bytes of any other id.
func eventKey(id string) []byte {
	if u, err := uuid.Parse(id); err == nil && u.String() == id {
		return u[:]
	}
	return []byte(id)
}
