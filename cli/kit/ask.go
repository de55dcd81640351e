package kit

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"showhow/daemon/client"
	"showhow/internal/fault"
)

// confirm asks the person for the code that the daemon showed on the terminal. The code goes between terminal and person:
// standard input may be a pipe. What the tray can answer too ends ctx when it has.
func (e *Env) confirm(ctx context.Context, ask client.Presence, open client.Confirmation) (string, error) {
	if open.How == "tray" {
		e.Note("answer it in Showhow's icon in the panel (%s), or press Ctrl-C", strings.ReplaceAll(ask.Action, "-", " "))
		<-ctx.Done()
		return "", ctx.Err()
	}
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return "", fault.New(fault.PresenceRequired, "this needs a person at a terminal").
			WithHint("run it in a terminal of your own; an agent cannot confirm")
	}
	defer tty.Close()
	or := ""
	if open.Tray {
		or = ", answer in the tray"
	}
	fmt.Fprintf(tty, "Type it to %s%s, or press Ctrl-C: ", strings.ReplaceAll(ask.Action, "-", " "), or)
	line, err := ReadLine(ctx, bufio.NewReader(tty))
	if err != nil {
		fmt.Fprintln(tty)
	}
	if err == io.EOF {
		err = fault.New(fault.PresenceRejected, "no code was typed")
	}
	return line, err
}

// ReadLine reads a line, trimmed, and gives up when ctx ends. The read itself cannot be interrupted; it ends with the program.
func ReadLine(ctx context.Context, in *bufio.Reader) (string, error) {
	type result struct {
		line string
		err  error
	}
	got := make(chan result, 1)
	go func() {
		line, err := in.ReadString('\n')
		if line != "" {
			err = nil
		}
		got <- result{strings.TrimSpace(line), err}
	}()
	select {
	case r := <-got:
		return r.line, r.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
