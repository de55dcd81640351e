package contract_test

import (
	"bytes"
	"os"
	"testing"

	"showhow/daemon/events/contract"
	"showhow/internal/fault"
)

// FuzzParse: whatever comes is read or refused with a fault, and what was read says the same when it is read again.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"envelope.json", "batch.json", "session.json"} {
		b, err := os.ReadFile("../testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte(`[{"contract_name":"openclaw_appleseed.runtime_event","contract_version":"1.0",
		"metadata":{"password":"x1Y2z3","n":4111111111111111},
		"event":{"event_kind":"session_feedback","session_id":"s","task":"t","status":"partial","score":1e-3,"comment":"token ghp_x"}}]`))
	c := cleaner(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := contract.Parse(data, c, now)
		if err != nil {
			if code := fault.CodeOf(err); code != fault.MalformedJSON && code != fault.InvalidRequest {
				t.Fatal(err)
			}
			return
		}
		if len(d.Envelopes) > contract.MaxEvents {
			return
		}
		first, err := contract.Marshal(d.Envelopes)
		if err != nil {
			t.Fatal(err)
		}
		again, err := contract.Parse(first, c, now)
		if err != nil {
			t.Fatalf("%v %v: %s", err, fault.From(err).Details, first)
		}
		if second, _ := contract.Marshal(again.Envelopes); !bytes.Equal(first, second) {
			t.Errorf("read again it is otherwise:\n%s\n%s", first, second)
		}
	})
}
