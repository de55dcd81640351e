package learn

import (
	"context"

	"showhow/capture"
	"showhow/capture/scope"
)

// PreviewRequest names what a preview looks at: what a session could be given.
type PreviewRequest struct {
	ObservationMode ObservationMode `json:"observation_mode,omitempty" enum:"inside_agent,outside_agent,mixed" default:"outside_agent"`
	Scope           capture.Scope   `json:"scope"`
	Adapters        []capture.Kind  `json:"adapters,omitempty" maxItems:"13" enum:"browser_dom,browser_snapshot,accessibility_ui,keyboard_shortcut,text_entry,mouse_click,clipboard,file_dialog,process_launch,terminal_command,midi,mcp_receipt,wrapper_receipt"`
	ValuePolicy     string          `json:"value_policy,omitempty" enum:"literal,masked,omitted" default:"masked"`
	LiteralApps     []string        `json:"literal_apps,omitempty" maxItems:"50" maxLength:"160"`
}

// PreviewUpdate is one thing that a preview shows: what observes, a record that would be kept, or how much would not.
type PreviewUpdate struct {
	Adapters []string           `json:"adapters_armed,omitempty"`
	Record   *capture.Record    `json:"record,omitempty"`
	Withheld []capture.Withheld `json:"withheld,omitempty"`
}

// Preview shows live what a session with this scope would keep, and stores nothing (decisions A4): no session, no receipt, no
// key, no row. It is for the person only, ends with ctx, and gives way to a session that starts.
func (s *Service) Preview(ctx context.Context, m Meta, r PreviewRequest, show func(PreviewUpdate) error) error {
	if err := userOnly(m); err != nil {
		return err
	}
	scope, err := scope.Normalise(r.Scope)
	if err != nil {
		return err
	}
	policy, apps, err := literal(r.ValuePolicy, r.LiteralApps)
	if err != nil {
		return err
	}
	sess := Session{LearnSessionID: s.d.NewID(), ObservationMode: r.ObservationMode, Scope: scope, ValuePolicy: policy, LiteralApps: apps}
	sess.TargetID = sess.LearnSessionID
	if err := s.chooseAdapters(ctx, &sess, r.Adapters); err != nil {
		return err
	}
	return s.d.Capturer.Preview(ctx, sess, show)
}
