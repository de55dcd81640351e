//go:build desktop

package desktop

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"

	"showhow/app/web"
	"showhow/daemon/wire"
	"showhow/internal/detached"
	"showhow/internal/fault"
	"showhow/internal/paths"
)

//go:embed icon.png
var icon []byte

// Main runs the window and returns the exit code. It prints the result of the start once, as JSON, on standard
// output; a failure is the error envelope on standard error.
func Main() (code int) {
	defer func() {
		if recover() != nil { // what it holds may be anything
			code = fail(fault.New(fault.Internal, "the window failed unexpectedly").WithHint("`showhow open` shows the same pages in a browser"))
		}
	}()
	debug.SetTraceback("none")
	roots, err := paths.FromEnv()
	if err != nil {
		return fail(fault.Wrap(err, fault.Usage, "there is no home directory").WithHint("set HOME"))
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	w := &window{roots: roots, ready: make(chan struct{})}
	w.shown = func() { up("opened") }
	claim, first, err := Claim(ctx, roots.Runtime, w.raise)
	switch {
	case err != nil:
		return fail(fault.Wrap(err, fault.Internal, "the window's place in the runtime folder cannot be created").
			WithHint("check the permissions of " + roots.Tilde(roots.Runtime)))
	case !first:
		up("raised")
		return 0
	}
	defer claim.Close()
	d := starter{socket: roots.Socket()}
	if err := d.ensure(ctx); err != nil {
		return fail(err)
	}
	if err := w.run(web.Handler(), d.revive); err != nil {
		return fail(fault.Wrap(err, fault.Internal,
			"the window could not be opened").WithHint("`showhow open` shows the same pages in a browser"))
	}
	if w.again.Load() {
		claim.Close()
		if self, err := os.Executable(); err == nil { // the current file at that path
			_, _ = detached.Start(self, nil)
		}
	}
	return 0
}

// up prints the result of this start once, and lets go of the starter's streams.
var said bool

func up(how string) {
	if said {
		return
	}
	said = true
	fmt.Printf("{\"window\":%q}\n", how)
	if os.Getenv(detached.Env) != "" {
		detached.LeaveStreams()
	}
}

func fail(err error) int {
	f := fault.From(err)
	spec := f.Code.Spec()
	json.NewEncoder(os.Stderr).Encode(wire.Error{
		Error: wire.ErrorBody{Code: f.Code, Message: f.Message, Hint: f.Hint, Retryable: spec.Retryable}})
	return spec.Exit
}
