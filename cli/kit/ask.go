package kit

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"showhow/daemon/client"
	"showhow/internal/fault"
)

// confirm asks the person for the code that the daemon showed on the terminal. The code passes between terminal and
// person: standard input may be a pipe. If the person answers in the tray instead, ctx ends.
func (e *Env) confirm(ctx context.Context, ask client.Presence, open client.Confirmation) (string, error) {
	if open.How == "tray" {
		e.Note("answer it in Showhow's icon in the panel (%s), or press Ctrl-C", client.Deed(open.Question, ask.Action))
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
	fmt.Fprintf(tty, "Type it to %s%s, or press Ctrl-C: ", client.Deed(open.Question, ask.Action), or)
	line, err := ReadLine(ctx, bufio.NewReader(tty))
	if err != nil {
		fmt.Fprintln(tty)
	}
	if err == io.EOF {
		err = fault.New(fault.PresenceRejected, "no code was typed")
	}
	return line, err
}

// ReadLine reads a line, trimmed, and gives up when ctx ends. The read itself cannot be interrupted; it ends with the
// program.
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

// Hidden makes a person type a value at the terminal without echo. A value is never an argument: arguments are in the
// shell's history and in every process list.
func Hidden(ctx context.Context, e *Env, what string) (string, error) {
	f, ok := e.In.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return "", Usage("the value is typed at a terminal").WithHint("or give it on standard input: showhow credential set NAME --stdin")
	}
	value, err := readHidden(ctx, f, e.ErrOut, what+" (not shown): ")
	fmt.Fprintln(e.ErrOut)
	return value, err
}

// readHidden prompts for a line, reads it without echo, and restores the terminal. It turns echo off before the
// prompt, so that even immediate typing stays hidden.
func readHidden(ctx context.Context, f *os.File, out io.Writer, question string) (string, error) {
	fd := int(f.Fd())
	before, err := term.MakeRaw(fd)
	if err != nil {
		return "", fault.Wrap(err, fault.Usage, "the terminal cannot be asked")
	}
	defer func() { _ = term.Restore(fd, before) }()
	type result struct {
		text string
		err  error
	}
	got := make(chan result, 1)
	go func() { // the read cannot be interrupted; it ends with the program
		text, err := term.NewTerminal(struct {
			io.Reader
			io.Writer
		}{f, out}, "").ReadPassword(question)
		got <- result{text, err}
	}()
	select {
	case r := <-got:
		if r.err != nil { // Ctrl-C or Ctrl-D
			return "", fault.New(fault.Usage, "nothing was typed")
		}
		return r.text, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
