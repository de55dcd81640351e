package daemon

import (
	"context"
	"fmt"
	"strings"

	"showhow/daemon/connector"
	"showhow/daemon/connector/desk"
	"showhow/daemon/connector/door"
	"showhow/daemon/connector/registry"
	"showhow/daemon/connector/signin"
	"showhow/daemon/skill"
	"showhow/daemon/skill/scan"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/twin"
	"showhow/store/keys"
)

// connect makes the rooms of connectors. Nothing is connected before somebody asks for it.
func (d *Daemon) connect(ctx context.Context) error {
	st := d.store.Connectors()
	secret := func(ctx context.Context, name string) (string, error) { return d.credentials.Get(ctx, name) }
	o := signin.Options{Store: st, Registry: func() *registry.Registry { return d.connectors }, Secret: secret, Now: d.now, NewID: clock.NewID,
		Log: d.log}
	if d.o.Test.Secrets != nil {
		o.Keychain = d.o.Test.Secrets
	} else if d.keys.Kind() == "keychain" {
		o.Keychain = keys.Secrets{Service: signin.KeychainService}
	}
	d.signins = signin.New(o)
	d.connectors = registry.New(registry.Options{Store: st, Secret: secret, Token: d.signins.Token, Scan: scanTools, Now: d.now,
		NewID: clock.NewID, Log: d.log})
	d.desk = desk.New(desk.Options{Store: st, Key: func(ctx context.Context) ([]byte, error) { return d.keys.Key(ctx, "connectors") },
		Now:   d.now,
		NewID: clock.NewID, Log: d.log})
	d.door = door.New(door.Options{Registry: d.connectors, Desk: d.desk, Store: st, Now: d.now, NewID: clock.NewID, Log: d.log})
	return d.door.Recover(ctx)
}

// scanTools judges what tools say of themselves, as the scanner judges a skill: an agent reads both.
func scanTools(ctx context.Context, server string, tools []connector.Told) ([]wire.ScanFinding, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "---\nname: %s\ndescription: Tools of a connected service.\n---\n\n", server)
	for _, t := range tools {
		fmt.Fprintf(&b, "## %s\n\n%s\n\n%s\n\n", t.Name, t.Title, t.Description)
	}
	report, err := scan.Skill(ctx, skill.Bundle{Name: server, Files: []skill.File{{Path: "SKILL.md", Data: []byte(b.String())}}})
	if err != nil {
		return nil, err
	}
	out := []wire.ScanFinding{}
	for _, f := range report.Findings {
		if x := twin.To[wire.ScanFinding](f); x.Severity != wire.SeverityInfo && x.Severity != wire.SeverityLow {
			out = append(out, x)
		}
	}
	return out, nil
}
