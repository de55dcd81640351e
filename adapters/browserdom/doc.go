// Package browserdom is the browser_dom adapter: what a person does in a browser's pages, with what it was done to and what
// changed, for every site that the scope names.
//
// Two halves. The page half (page/*.js) lives in an isolated world of every document; it folds events into acts, describes
// their targets by meaning and looks at the page before and after within a time budget. The Go half attaches to every tab,
// popup and frame, judges each document's site again, joins an act with its outcome, ties effects (navigation, new tab,
// download, dialog) to the act that caused them, and emits in order.
//
// Guarantees:
//   - Every trusted click, field visit, choice, key that means something, file, and tab change in scope is one observation.
//     A click is safe from its pointerdown on: a page that navigates, or closes itself, on mousedown loses none.
//   - An observation is emitted once its outcome is known, at the latest after maxHold, effects after their cause.
//   - A document out of scope says only that something happened. Private windows get no script at all.
//   - A password, one-time code or card number never leaves the page, nor does anything typed on a login form.
//   - Pause, Rescope and the end take effect at once on this side, and within a message's way in the page.
//
// Not guaranteed: what scripts do by themselves is not an act and not reported; drags are not reported; inside a closed shadow
// root the target is what the accessibility tree says, or the host; scrolls and hovers are not acts.
//
// The badge that page/80-badge.js shows is an indicator in the sense of decisions A8: Indicate("browser_badge").
//
// Test with a real headless Chromium and real input events (browserdom_test.go); adaptertest holds it to the contract.
package browserdom
