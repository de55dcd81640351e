//go:build unix

package browserdom

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"showhow/adapters"
	"showhow/adapters/adaptertest"
	"showhow/capture"
	"showhow/capture/recall"
	"showhow/capture/secret"
)

// A secret stays in its page, but hashes of it, of the user name and of what was typed during a pause reach the
// pipeline before what happens next, and equal those that the pipeline makes.
func TestSecretsAreToldByHash(t *testing.T) {
	startShared(t)
	srv, host := site(t, map[string]string{
		"/": `<form action=/in><label>User <input id=u name=u></label><label>Password <input id=p name=p type=password></label>` +
			`<button id=go>Sign in</button></form>`,
		"/in": `<h1>Hello</h1><label>Note <input id=n></label><button id=end>End</button>`,
	})
	salt := capture.Salt{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255}
	a, sink := New(Options{Browser: shared.m}), adaptertest.NewSink()
	ctx, cancel := context.WithCancel(t.Context())
	done, ready := make(chan error, 1), make(chan adapters.Control, 1)
	go func() {
		done <- a.Run(ctx, adapters.Session{ID: "b", Scope: capture.Scope{Sites: []string{host}}, Salt: salt}, sink, func(c adapters.Control) {
			ready <- c
		})
	}()
	t.Cleanup(func() { cancel(); <-done })
	ctl := <-ready

	const user, password, note = "greta.lindqvist", "Öcelot&C99x y", "Please ring the blue doorbell twice"
	p := shared.hand.open(t, srv.URL+"/")
	p.until(fmt.Sprintf("(u.value = %q) && (p.value = %q)", user, password)) // as a password manager fills them
	p.click("#go")
	p.until("location.pathname === '/in'")
	p.click("h1")
	sink.Wait(t, "the sign-in's page", patience, func(seen []adaptertest.Seen) bool {
		return slices.ContainsFunc(seen, func(s adaptertest.Seen) bool { return s.Verb == capture.Click && s.Target.Role == "heading" })
	})
	badge := func(says string) { // the page follows a moment later
		p.until(`[...document.querySelectorAll('[role=note]')].some((b) => (b.getAttribute('aria-label') || '').includes('` + says + `'))`)
	}
	ctl.Pause()
	badge("paused")
	p.write("#n", "Wilhelmina Nightingale")
	p.until("(location.href = '/in?again')")
	p.until("location.search === '?again' && document.querySelector('#n') && !document.querySelector('#n').value")
	p.write("#n", note)
	ctl.Resume()
	badge("watching")
	p.click("#end")
	sink.Wait(t, "the last click", patience, func(seen []adaptertest.Seen) bool {
		return slices.ContainsFunc(seen, func(s adaptertest.Seen) bool { return s.Verb == capture.Click && s.Target.Name == "End" })
	})
	got := sink.Blots()
	for kind, text := range map[secret.Kind]string{secret.Name: user, secret.Password: password, secret.Secret: note,
		secret.Opaque: "Wilhelmina Nightingale"} {
		if kind == secret.Opaque {
			kind = secret.Secret // entered and left during the pause
		}
		for _, want := range recall.BlotsOf(salt, text, kind) {
			if !slices.Contains(got, want) {
				t.Errorf("%s: %+v is missing among %+v", kind, want, got)
			}
		}
	}
	if n := len(recall.BlotsOf(salt, user, secret.Name)) + len(recall.BlotsOf(salt, password, secret.Password)) +
		len(recall.BlotsOf(salt, note, secret.Secret)); len(got) > 2*n+10 {
		t.Errorf("%d hashes, %d were enough: halves of what is typed are told", len(got), n)
	}
}
