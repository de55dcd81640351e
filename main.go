//go:build !desktop

// Showhow: show a task once on your own computer; get a reviewed, rehearsed, portable skill that any agent can use.
package main

import (
	"context"
	"errors"
	"os"

	"showhow/cli"
	"showhow/daemon"
	"showhow/demo"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], cli.Programs{Daemon: runDaemon, Demo: runDemo, Drive: demo.Drive}))
}

func runDaemon(ctx context.Context, o cli.DaemonOptions, ready func()) error {
	err := daemon.Run(ctx, daemon.Options{Roots: o.Roots, Config: o.Config, Logger: o.Logger, DemoGrant: o.DemoGrant,
		Program: program(o.ThrowAway), ThrowAway: o.ThrowAway, DownloadDir: o.DownloadDir}, ready)
	if errors.Is(err, daemon.ErrRestart) {
		return nil // the client that asked for it starts the next one
	}
	return err
}

// program is the file of this program; "" when the system does not say, and in a demo, which shows nothing on the screen.
func program(demo bool) string {
	self, err := os.Executable()
	if err != nil || demo {
		return ""
	}
	return self
}

func runDemo(ctx context.Context, o cli.DemoOptions) error {
	return demo.Run(ctx, demo.Options{Out: o.Out, Seed: o.Seed, Dir: o.Dir, Keep: o.Keep, JSON: o.JSON})
}
