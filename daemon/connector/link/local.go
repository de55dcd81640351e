package link

import (
	"context"
	"io"
	"math"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/sandbox"
	"showhow/internal/fault"
)

// forever is longer than any conversation.
const forever = time.Duration(math.MaxInt64 / 2)

// local starts the program in its sandbox. Output outside the protocol is discarded, but for who hears the attempt.
func (l *Link) local(ctx context.Context, s *session) (mcp.Transport, func(), error) {
	b := l.spec.Entry.LocalBridge
	if b == nil || len(b.Command) == 0 {
		return nil, nil, fault.New(fault.InvalidRequest, "the connector names no program")
	}
	if err := sandbox.Probe(); err != nil {
		return nil, nil, fault.Wrap(err, fault.SandboxUnavailable, "programs of connectors run in a sandbox alone, and there is none here").
			WithHint(fault.From(err).Hint)
	}
	var env map[string]string
	if l.spec.Secrets != nil {
		var err error
		if env, err = l.spec.Secrets(ctx); err != nil {
			return nil, nil, err
		}
	}
	if l.spec.Check != nil {
		if err := l.spec.Check(); err != nil {
			return nil, nil, err
		}
	}
	box, err := sandbox.Open(ctx, sandbox.Spec{ReadOnly: b.ReadFolders, Writable: b.Folders, Hosts: b.Hosts, Timeout: forever})
	if err != nil {
		return nil, nil, err
	}
	in, tell := io.Pipe()
	hear, out := io.Pipe()
	running, kill := context.WithCancel(context.Background()) // it outlives the call that started it
	ended := make(chan struct{})
	heard := hearing(ctx)
	stderr := heard.begin(env)
	go func() {
		defer close(ended)
		res, err := box.Exec(running, sandbox.Command{Args: b.Command, Env: env, Stdin: in, Stdout: out, Stderr: stderr})
		heard.done(res, running.Err() == nil)
		out.CloseWithError(io.EOF)
		in.CloseWithError(io.ErrClosedPipe) // nobody reads any more
		if err != nil && running.Err() == nil {
			l.spec.Log.Warn("a connector's program could not be run", "server", l.spec.Entry.ServerID, "code", string(fault.CodeOf(err)))
		}
	}()
	end := func() {
		tell.Close()
		hear.Close()
		kill()
		<-ended
		if err := box.Close(); err != nil {
			l.spec.Log.Warn("a connector's box could not be removed", "code", string(fault.CodeOf(err)))
		}
	}
	from := s.progress.reader(&measured{ReadCloser: hear, large: &s.large})
	return &mcp.IOTransport{Reader: from, Writer: counting{tell, &s.written}, MaxLineLength: MaxAnswer}, end, nil
}
