package agentrun

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

// AskTool is the program with which an agent asks the person.
const AskTool = "showhow-ask"

// askBody is AskTool's request to the run's socket, askReply the answer.
type askBody struct {
	Kind string `json:"kind"`
	Host string `json:"host,omitempty"`
	Text string `json:"text,omitempty"`
}

type askReply struct {
	Allow bool   `json:"allow"`
	Text  string `json:"text,omitempty"`
	Error string `json:"error,omitempty"`
}

// Under these names the program talks to the run's socket, whichever binary it is, before main runs.
func init() {
	runAs(AskTool, func(args []string, socket string) int { return askMain(args, socket, os.Stdout, os.Stderr) })
}

func runAs(name string, f func(args []string, socket string) int) {
	if len(os.Args) > 0 && filepath.Base(os.Args[0]) == name {
		os.Exit(f(os.Args[1:], os.Getenv("SHOWHOW_ASK_SOCKET")))
	}
}

const askUsage = "usage: showhow-ask --domain HOST [WHY] | showhow-ask QUESTION\n"

func askMain(args []string, socket string, out, errs io.Writer) int {
	var a askBody
	switch {
	case len(args) >= 2 && args[0] == "--domain":
		a = askBody{Kind: AskDomain, Host: args[1], Text: strings.Join(args[2:], " ")}
	case len(args) >= 1 && !strings.HasPrefix(args[0], "-"):
		a = askBody{Kind: AskInput, Text: strings.Join(args, " ")}
	default:
		fmt.Fprint(errs, askUsage)
		return 2
	}
	var r askReply
	err := post(socket, "/ask", a, &r)
	switch {
	case err != nil:
		fmt.Fprintln(errs, "showhow-ask: this is no run of Showhow, or it is ending")
		return 3
	case r.Error != "":
		fmt.Fprintln(errs, "showhow-ask:", r.Error)
		return 2
	case !r.Allow:
		fmt.Fprintln(errs, "showhow-ask: the person said no")
		return 1
	}
	if a.Kind == AskInput {
		fmt.Fprintln(out, r.Text)
	}
	return 0
}

// post sends a request to the run's socket and reads the answer.
func post(socket, path string, say, answer any) error {
	c := http.Client{Transport: &http.Transport{DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, "unix", socket)
		}}}
	body, err := json.Marshal(say)
	if err != nil {
		return err
	}
	res, err := c.Post("http://run"+path, "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer res.Body.Close()
	return json.NewDecoder(io.LimitReader(res.Body, 64<<10)).Decode(answer)
}
