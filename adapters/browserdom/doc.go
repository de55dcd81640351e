// Package browserdom is the browser_dom adapter: what a person does in a browser's pages, with what it was done to and what
// changed, for every site that the scope names; and the browser_snapshot adapter (snapshot.go): what those pages looked like.
// Both share one recorder (hub.go).
//
// Two halves. The page half (script/*.js, and the parts of browser/page that read a page) lives in an isolated world of every
// document; it folds events into acts, describes their targets by meaning and looks at the page before and after within a time
// budget. The Go half attaches to every tab, popup and frame, judges each document's site again, joins an act with its outcome,
// ties effects (navigation, new tab, download, dialog) to the act that caused them, and emits in order.
//
// Guarantees:
//   - Every trusted click, field visit, choice, key that means something, drag, file, and tab change in scope is one
//     observation. A click is safe from its pointerdown on: a page that navigates, or closes itself, on mousedown loses none.
//   - A control that Space or Enter operates is clicked (Keys says by which key). Typed text and the item chosen from the list
//     that it opened are two acts.
//   - A locator's match count is exact at the moment that CountedAt names, or 0: not counted.
//   - The state before and after an act is that of the whole tab: the top document with its frames in scope.
//   - With browser_snapshot an act carries the states before and after, and what a page shows by itself is an observation caused
//     by the last act, in time, ever more seldom while no act follows. Without it an act says title and address.
//   - Looking never holds a page up for more than a few ms (script/46-eyes.js): a large page loses detail or freshness, not time.
//     Only what can be seen is in a state; a clock or ticker is in it as it was at first.
//   - A page or frame that crashes is an observation, and the tab goes on being watched.
//   - An observation is emitted once its outcome is known, at the latest after maxHold, effects after their cause.
//   - A document out of scope says only that something happened. Private windows get no script at all.
//   - A password, one-time code or card number never leaves the page, nor does anything typed on a login form. A form that asks
//     for more than who signs in (a new user's) is none: there the secret fields alone stay.
//   - Pause, Rescope and the end take effect at once on this side, and within a message's way in the page.
//
// Not guaranteed: what scripts do by themselves is no act. Of a page that never rests a state may be a second old, or more where
// it leaves the recorder no time; of a table of more than 300 rows those beyond are counted whether shown or not. Inside a closed shadow
// root the target is what the accessibility tree says, or the host. A frame without an origin of its own (sandboxed, data:) is out of
// scope. A drag by pointer events counts when the page shows that it takes part: it moves or dresses the thing, or takes the pointer.
// Beside another debugging tool that makes new frames wait for it (measured with two such clients on a loaded machine: one frame in fifty),
// Chromium may leave a frame from another site empty: attach to a browser that no other tool drives.
//
// Scrolls and hovers are not acts. As far as they matter they are in the act that follows: an entry of a menu that opened under
// the pointer carries that menu as its landmark, and a row that scrolling loaded is described like any other.
//
// The badge that script/80-badge.js shows is an indicator in the sense of decisions A8: Indicate("browser_badge").
//
// Test with a real headless Chromium and real input events (browserdom_test.go); adaptertest holds it to the contract.
package browserdom
