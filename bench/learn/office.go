package main

import (
	"context"

	"showhow/bench/corpus"
	base "showhow/bench/office"
	"showhow/demo/driver"
)

// office is a daemon with the corpus's applications, and a person at its browser and in a shell that it may observe.
type office struct {
	*base.Office
	world *corpus.World
	stage *corpus.Stage
}

// openOffice starts everything.
func openOffice(ctx context.Context, bin string) (*office, error) {
	b, err := base.Open(ctx, bin)
	if err != nil {
		return nil, err
	}
	o := &office{Office: b}
	if err := o.open(ctx); err != nil {
		o.close()
		return nil, err
	}
	return o, nil
}

func (o *office) open(ctx context.Context) (err error) {
	if o.world, err = corpus.NewWorld(); err != nil {
		return err
	}
	o.stage = &corpus.Stage{World: o.world, Home: o.Home, Downloads: o.Downloads()}
	if o.stage.Shell, err = driver.StartShell(ctx, o.Config()); err != nil {
		return err
	}
	if err := o.Sit(ctx, o.world.URL("library")); err != nil {
		return err
	}
	o.stage.Hands = o.Hands
	return nil
}

// close ends everything, the person first.
func (o *office) close() {
	if o.stage != nil && o.stage.Shell != nil {
		o.stage.Shell.Close()
	}
	o.Close()
	if o.world != nil {
		o.world.Close()
	}
}
