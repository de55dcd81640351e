package midi

import (
	"context"
	"errors"
	"time"
)

// source provides MIDI devices. Its methods are called from one goroutine at a time.
type source interface {
	// ports lists the available inputs without opening any.
	ports() ([]port, error)
	// open starts reading from a port.
	open(port) (input, error)
	// watch calls changed when ports may have come or gone, until ctx ends. It returns if it cannot; ports are polled
	// anyway.
	watch(ctx context.Context, changed func())
	// close releases what the source holds open for itself. The source may be used again afterwards.
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
	// read waits for bytes until the deadline (zero: no deadline) and returns when they came. It fails with
	// os.ErrDeadlineExceeded if none came; any other error means that the device is lost.
	read(p []byte, deadline time.Time) (n int, at time.Time, err error)
	// close ends a waiting read.
	close() error
}

// lossy is an input that may have to drop messages and counts them.
type lossy interface{ Missed() uint64 }

// Why a present device cannot be read.
var (
	errBusy    = errors.New("midi: another program holds the device")
	errDenied  = errors.New("midi: no permission for the device")
	errNoSound = errors.New("midi: this system has no MIDI")
)

// systemSources are the sources of this build, best first.
func systemSources() []source { return append(cgoSources(), kernelSources()...) }
