package link

import (
	"context"
	"net/http"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// older is the HTTP+SSE transport of the protocol's first revision: one GET stays open for everything that the server
// says, and names the address that messages go to.
type older struct{ mcp.SSEClientTransport }

// Connect opens the stream. It outlives the call that opened it, until the connection is closed.
func (t *older) Connect(ctx context.Context) (mcp.Connection, error) {
	open, end := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, end)
	c, err := t.SSEClientTransport.Connect(open)
	if !stop() && err == nil { // the caller gave up meanwhile
		_ = c.Close()
		err = ctx.Err()
	}
	if err != nil {
		end()
		return nil, err
	}
	return &olderConn{Connection: c, end: end}, nil
}

type olderConn struct {
	mcp.Connection
	end context.CancelFunc
}

func (c *olderConn) Close() error {
	defer c.end()
	return c.Connection.Close()
}

// refusesNewer reports whether a failed attempt to connect means that the server may only know the older transport:
// the protocol names these answers for it.
func refusesNewer(status int) bool {
	return slices.Contains([]int{http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed}, status)
}
