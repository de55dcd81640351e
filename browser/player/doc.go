// Package player performs acts in a real Chromium as a person's hands would: by input events on the
// element itself.
//
//   - Flags are the command-line flags the browser must be launched with; New takes that browser over.
//   - Open goes to a page. Do performs one act: find the target, wait until it can be operated,
//     operate it, wait until the page has settled. State reads the page's digest, the same that the
//     recorder takes. Settle waits for a state.
//   - Guard judges every request before its first byte is sent.
//
// Guarantees. An element is operated only when it is enabled, stands still and is what a pointer
// hits at that point; a click that would hit something else is swallowed, and the act fails. The
// player waits for states (the consequences of an act, a missing target, a list that is still
// loading), never for a fixed time, and gives up in bounded time. Every HTTP request of every page,
// frame, popup and worker is judged, redirects and keepalive requests included; WebSockets are
// judged when they are created. Service workers, WebRTC and WebTransport do not exist for the
// pages. Native dialogs never hang an act. Values are never logged and never part of an error or of
// evidence.
//
// Not guaranteed: that a page which changes only by a timer, or by an answer that arrives in parts
// with long pauses, has changed when Do returns; use Settle with the expected state. That a host is
// unreachable by means other than HTTP (its name may be resolved, a connection preopened), unless
// the browser was launched with Flags; for a second barrier add a proxy. That a page which gets
// around the replaced constructor opens no WebSocket to a reachable host: the protocol has no means
// to refuse one.
//
// In the code: tracker records what the browser reports and judges requests, reader queries pages
// and waits for them, operator acts on page elements, Player performs whole acts. Each knows only
// those before it.
//
// How to test: this package's tests play on adversarial pages of their own in a real Chromium and
// read the servers' logs.
package player
