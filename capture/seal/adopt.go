package seal

import (
	"encoding/json"
	"strings"
	"time"

	"showhow/capture"
)

// Adoption copies records of one learning target into a session of another: what an agent did becomes a
// demonstration.
type Adoption struct {
	Session, Trace string
	Sealer         *Sealer // of the target that adopts
	NewID          func() string
	Now            time.Time
}

// Adopt copies records with new ids and seals their values anew. values are those of the records' own target, opened,
// by link id; rows describe them. Causes among the records are kept. A value that is not given leaves a mask that can
// no longer be opened.
func (a Adoption) Adopt(records []capture.Record, rows []capture.SealedRow, values map[string]string) ([]capture.Record, error) {
	kinds := map[string]capture.ValueKind{}
	for _, row := range rows {
		kinds[row.LinkID] = row.Kind
	}
	var pairs []string
	sealed := map[string]capture.SealedRow{} // by new link id
	for link, text := range values {
		row := a.Sealer.Seal(a.Session, kinds[link], text, a.Now)
		sealed[row.LinkID] = row
		pairs = append(pairs, link, row.LinkID)
	}
	for i := range records {
		pairs = append(pairs, records[i].Event.EventID, a.NewID())
	}
	renamed := strings.NewReplacer(pairs...)
	out := make([]capture.Record, len(records))
	for i, r := range records {
		r.Sealed = nil
		b, err := json.Marshal(r)
		if err != nil {
			return nil, err
		}
		text := renamed.Replace(string(b))
		if err := json.Unmarshal([]byte(text), &out[i]); err != nil {
			return nil, err
		}
		out[i].Seq, out[i].TraceID, out[i].Event.LearnSessionID = 0, a.Trace, a.Session
		for link, row := range sealed {
			if strings.Contains(text, link) {
				out[i].Sealed = append(out[i].Sealed, row)
			}
		}
	}
	return out, nil
}
