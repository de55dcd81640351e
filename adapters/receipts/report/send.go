package report

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"time"

	"github.com/go-json-experiment/json"

	"showhow/internal/ownsocket"
)

// send sends receipts to the daemon and waits for its answer, at most until a deadline. away means that no daemon
// listens.
//
// It is the only HTTP/1.1 request of a hook, written by hand: net/http's client takes longer to initialise than to
// send.
func send(socket, token string, rs []Receipt, until time.Time) (taken, away bool) {
	body, err := json.Marshal(map[string]any{"receipts": rs})
	if err != nil {
		return false, false
	}
	ctx, cancel := context.WithDeadline(context.Background(), until)
	defer cancel()
	c, err := ownsocket.Dial(ctx, socket)
	if err != nil {
		return false, errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED)
	}
	defer c.Close()
	if c.SetDeadline(until) != nil {
		return false, false
	}
	var b bytes.Buffer
	fmt.Fprintf(&b,
		"POST /api/observe/receipts HTTP/1.1\r\nHost: showhow\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: %d\r\n",
		len(body))
	if token != "" && !strings.ContainsAny(token, "\r\n") {
		fmt.Fprintf(&b, "Authorization: Bearer %s\r\n", token)
	}
	b.WriteString("\r\n")
	b.Write(body)
	if _, err := c.Write(b.Bytes()); err != nil {
		return false, false
	}
	status, err := bufio.NewReaderSize(c, 256).ReadString('\n')
	return err == nil && strings.HasPrefix(status, "HTTP/1.1 200 "), false
}
