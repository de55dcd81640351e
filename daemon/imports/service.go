package imports

import (
	"log/slog"

	"showhow/internal/clock"
)

// Service provides every operation on imports, one part for each stage. Permission to call is the caller's business.
// Methods are safe for concurrent use: several imports are received, scanned and staged at once, and decisions wait for that.
type Service struct {
	*Intake
	*Scans
	*Stages
	*Decisions
	*Retries
	*Views
	*Upkeep
}

// New makes a service; call Recover once before serving.
func New(o Options) *Service {
	if o.Now == nil {
		o.Now = clock.Now
	}
	if o.NewID == nil {
		o.NewID = clock.NewID
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	r := &records{files: files{o.Dir, o.Limits}, o: o, slots: make(chan struct{}, workAtOnce)}
	scans, stages, decisions := &Scans{r}, &Stages{r}, &Decisions{r}
	return &Service{Intake: &Intake{records: r, sources: sources{o}}, Scans: scans, Stages: stages, Decisions: decisions,
		Retries: &Retries{r, scans, stages, decisions}, Views: &Views{r}, Upkeep: &Upkeep{r}}
}
