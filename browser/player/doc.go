// Package player performs acts in a real Chromium, as a person's hands would: by input events at the element itself.
//
//   - Flags says what the browser must be launched with; New takes that browser over.
//   - Open goes to a page, Do performs one act: find its target, wait until it can be operated, operate it, wait until what that
//     started has come to rest. State reads the page's digest, the same that the recorder takes. Settle waits for a state.
//   - Guard judges every request before its first byte leaves.
//
// Guarantees. An element is operated only when it is enabled, stands still and is what a pointer hits at that point; what would
// hit something else is swallowed, and the act fails. Waiting is for states: what an act started, a target that is not there
// yet, a list that is still loading; never for a fixed time. Whatever does not end is given up in bounded time. Every HTTP
// request of every page, frame, popup and worker is judged, redirects and keepalive requests included; WebSockets are judged
// where they are made. Service workers, WebRTC and WebTransport do not exist for the pages. Native dialogs never hang an act.
// Values are never logged and never part of an error or of evidence.
//
// Not guaranteed: that a page which changes by a timer alone, or by an answer that comes in parts with long pauses, has done so when Do
// returns; Settle until the state that is expected. That a host is unreachable by other means than HTTP (its name may be resolved, a
// connection be opened ahead) unless the browser was launched with Flags; a caller that wants a second wall adds a proxy. That a page which
// finds a way around the replaced constructor opens no WebSocket to a host that is reachable: the protocol has no means to refuse one.
//
// In the code: tracker keeps what the browser tells and judges requests, reader asks pages and waits for them, operator acts on what is on
// a page, Player does whole acts; each knows only those before it.
//
// How to test: this package's tests play on nasty pages of their own in a real Chromium, and read the servers' logs.
package player
