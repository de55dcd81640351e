package capturing

import (
	"context"
	"fmt"
	"testing"
	"time"

	"showhow/capture"
	"showhow/capture/pipeline"
	"showhow/capture/redact"
	"showhow/internal/clock"
	"showhow/store"
)

// BenchmarkCaptureToStore is the whole way of an ordinary command: scope, redaction, sealing, batch, acknowledged commit.
func BenchmarkCaptureToStore(b *testing.B) {
	db, err := store.Open(b.Context(), store.Options{Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	red, err := redact.Load()
	if err != nil {
		b.Fatal(err)
	}
	defer red.Close()
	pipe, err := pipeline.New(pipeline.Config{
		SessionID: clock.NewID(), TraceID: clock.NewID(), Target: clock.NewID(), ObservationMode: capture.OutsideAgent,
		Scope: capture.Scope{Shells: []string{"pts/3"}}, Values: capture.ValuePolicy{Default: capture.Masked}, Key: make([]byte, 32),
		Log: db, Redactor: red, Now: time.Now, NewID: clock.NewID, Queue: 1 << 14,
	})
	if err != nil {
		b.Fatal(err)
	}
	go pipe.Run(context.Background())
	pipe.Start()
	time.Sleep(time.Millisecond) // bench: capture begins with the next whole microsecond
	i := 0
	for b.Loop() {
		pipe.Emit(capture.Observation{Kind: capture.TerminalCommand, Verb: capture.Run, Origin: capture.Origin{App: "bash", Shell: "pts/3"},
			Command: &capture.RawCommand{Line: fmt.Sprintf("sort -t, -k3 orders-%d.csv | head -n 20 > top.csv", i), Shell: "bash", CwdFrom: "/work",
				CwdTo: "/work"}})
		if i++; i%4096 == 0 {
			if err := pipe.Flush(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	}
	pipe.Close()
	if kept := pipe.Kept(); kept != int64(i) {
		b.Fatalf("%d of %d kept", kept, i)
	}
	b.ReportMetric(float64(i)/b.Elapsed().Seconds(), "store_events_per_s")
}
