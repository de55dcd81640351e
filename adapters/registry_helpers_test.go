package adapters

import (
	"context"

	"showhow/capture"
)

type ready struct{ kind capture.Kind }

func (a ready) Info() Info                                              { return Info{Kind: a.kind, Title: "x"} }
func (a ready) Probe(context.Context) Health                            { return Health{State: Ready} }
func (a ready) Run(context.Context, Session, Sink, func(Control)) error { return nil }
