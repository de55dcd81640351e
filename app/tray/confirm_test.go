//go:build linux

package tray

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"showhow/app/apptest"
	"showhow/daemon/client"
	"showhow/internal/fault"
)

// asks makes a program without a terminal ask for an agent's token, which needs a person, and waits until that was
// answered.
func asks(w *apptest.World, name string) <-chan error {
	return asked(w, func(ctx context.Context, c *client.Client) error {
		_, err := c.AddAgent(ctx, name)
		return err
	})
}

// asked makes a program without a terminal ask for something that needs a person, and waits until that was answered
// in the tray.
func asked(w *apptest.World, ask func(context.Context, *client.Client) error) <-chan error {
	c := client.Unix(w.Options.Roots.Socket(),
		client.WithConfirm(func(ctx context.Context, _ client.Presence, open client.Confirmation) (string, error) {
			if open.How != "tray" {
				return "", fmt.Errorf("it is to be answered by %s", open.How)
			}
			<-ctx.Done()
			return "", ctx.Err()
		}))
	done := make(chan error, 1)
	go func() {
		for {
			err := ask(w.T.Context(), c)
			if !fault.Is(err, fault.PresenceRequired) { // no tray is seen yet
				done <- err
				return
			}
			select {
			case <-w.T.Context().Done():
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	return done
}

func TestAConfirmationIsAnsweredByAPersonAlone(t *testing.T) {
	t.Parallel()
	w, address := apptest.Begin(t), bus(t)
	h := panel(t, address)
	show(w, address)
	done := asks(w, "helper")
	const ask = "Give a new agent a token of its own?"
	yes := h.shows(ask + "/Yes, give a new agent a token of its own")
	h.shows(ask + "/The agent “helper” gets a token")
	until(t, "the sign that something waits", func() bool { return h.get("Status").Value() == "NeedsAttention" })

	// An agent's program on the session bus sends the same click.
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), "CLAUDECODE=1", fmt.Sprintf("%s=%s %s %d", clickEnv, address, h.item(), yes))
	must(t, cmd.Start())
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	h.shows("Not done: the click was not a person's")
	if as, err := w.Client.Agents(t.Context()); err != nil || len(as.Agents) > 0 {
		t.Fatalf("an agent confirmed for the person: %+v, %v", as, err)
	}

	h.click(yes)
	must(t, <-done)
	if as, err := w.Client.Agents(t.Context()); err != nil || len(as.Agents) != 1 || as.Agents[0].Name != "helper" {
		t.Fatalf("%+v, %v", as, err)
	}
	until(t, "the end of the first question", func() bool { return h.labels()[ask+"/Yes, give a new agent a token of its own"] == 0 })
	done = asks(w, "other")
	no := h.shows(ask + "/No")
	h.click(yes) // of the first
	h.click(no)
	if err := <-done; !fault.Is(err, fault.PresenceRejected) || !strings.Contains(err.Error(), "tray") {
		t.Errorf("refused: %v", err)
	}
	until(t, "the end of waiting", func() bool { return h.get("Status").Value() == "Active" })
}
