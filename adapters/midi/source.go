package midi

import (
	"context"
	"errors"
	"time"
)

// source is a way to MIDI devices. Its methods are called from one goroutine at a time.
type source interface {
	// ports lists the inputs that are there now. It opens none of them.
	ports() ([]port, error)
	// open begins to read from one.
	open(port) (input, error)
	// watch tells that ports may have come or gone, until ctx ends. It returns when it cannot; ports are looked for from time to
	// time anyway.
	watch(ctx context.Context, changed func())
	// close gives up what the source holds open for itself. It may be used again afterwards.
	close()
}

// port is one input of a device.
type port struct {
	id    string   // within its source
	names []string // by which a scope may name it, the device's own first
	ref   any      // the source's own
}

// input is an open port.
type input interface {
	// read waits for bytes until the deadline, for ever when it is zero, and says when they came. It fails with
	// os.ErrDeadlineExceeded when none came; any other error means that the device is lost.
	read(p []byte, deadline time.Time) (n int, at time.Time, err error)
	// close ends a waiting read.
	close() error
}

// lossy is an input that may have to drop messages and knows how many so far.
type lossy interface{ Missed() uint64 }

// Why a device that is there cannot be read.
var (
	errBusy    = errors.New("midi: another program holds the device")
	errDenied  = errors.New("midi: no permission for the device")
	errNoSound = errors.New("midi: this system has no MIDI")
)

// systemSources are the ways to devices in this build, the best first.
func systemSources() []source { return append(cgoSources(), kernelSources()...) }
