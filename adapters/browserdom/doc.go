// Package browserdom has two adapters. browser_dom observes what a person does in a browser's pages, with the target
// and the effect, for every site in the scope; browser_snapshot (snapshot.go) observes what those pages looked like.
// Both share one recorder (hub.go).
//
// The recorder has two halves. The page half (script/*.js, and the parts of browser/page that read a page) runs in an
// isolated world of every document; it folds events into acts, describes their targets by meaning and looks at the
// page before and after within a time budget. The Go half attaches to every tab, popup and frame, checks each
// document's site again, joins an act with its outcome, ties effects (navigation, new tab, download, dialog) to the
// act that caused them, and emits in order.
//
// Guarantees:
//
//   - Every trusted click, field visit, choice, meaningful key, drag, file, and tab change in scope is one observation. A click
//     is safe from its pointerdown on: none is lost if the page navigates, or closes itself, on mousedown.
//   - A control that Space or Enter operates is clicked (Keys says by which key). Typed text and the item chosen from the
//     list that it opened are two acts.
//   - A locator's match count is exact at the time CountedAt, or 0: not counted.
//   - The state before and after an act is that of the whole tab: the top document with its frames in scope.
//   - With browser_snapshot an act carries the states before and after. What a page shows later by itself is an observation
//     caused by the last act, at increasing intervals until the next act. Without it an act carries title and address.
//   - A look never blocks a page for more than a few ms (script/46-eyes.js): a large page loses detail or freshness, not
//     time. Only what can be seen is in a state; a clock or ticker is in it as it was first seen.
//   - A page or frame that crashes is an observation, and the tab is still observed.
//   - An observation is emitted once its outcome is known, at the latest after maxHold (maxWork while its page
//     is at work and does not answer), and effects after their cause.
//   - A document out of scope reports only that something happened. Private windows get no script at all.
//   - A password, one-time code or card number never leaves the page, nor does anything typed on a login form. A form that
//     asks for more (a new user's, say) is not a login form: there only the secret fields are withheld.
//   - Pause, Rescope and the end take effect at once on this side, and in the page as soon as the message arrives.
//
// Not guaranteed: that what scripts do by themselves is an act. On a page that never rests a state may be a second
// old, or older if the page leaves the recorder no time. In a table of more than 300 rows, those beyond are counted
// whether shown or not. Inside a closed shadow root the target is what the accessibility tree says, or the host. A
// frame without an origin of its own (sandboxed, data:) is out of scope. A drag by pointer events counts if the page
// visibly takes part: it moves or restyles the thing, or captures the pointer. Beside another debugging tool that
// makes new frames wait for it (measured with two such clients on a loaded machine: one frame in fifty), Chromium may
// leave a frame from another site empty: attach to a browser that no other tool drives.
//
// Scrolls and hovers are not acts. Where they matter, the following act includes them: an entry of a menu that opened
// on hover has that menu as its landmark, and a row that scrolling loaded is described like any other.
//
// The badge of script/80-badge.js is an indicator in the sense of decisions A8: Indicate("browser_badge").
//
// Test with a real headless Chromium and real input events (browserdom_test.go); adaptertest holds both adapters to
// the contract.
package browserdom
