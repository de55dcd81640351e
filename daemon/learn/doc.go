// Package learn puts the rooms of learning together: the one canonical learning runtime (DOC3 0B.10; "teach" is only an old name
// for it). Service is all of them at once, keeps their clock and recovers them after a crash.
//
//	state, port     what everybody knows: records, states, and what is needed of others
//	live, change    what captures at this moment; the one way in which anything changes
//	boundary, query from when to when a demonstration lasts; reading sessions
//	control         capture: start, pause, resume, stop, cancel, time limits
//	session         making sessions and changing what they are about
//	proposal        reading proposals
//	drafting        compiling demonstrations into drafts
//	validation      running a draft's validation
//	install         what a person decided on a draft
//	housekeeping    deletion, purge, archive
//	importmirror    imports shown as sessions
//
// Each room imports only those above it.
//
// Guarantees:
//   - A session's state changes only along DOC3 0C.1A, through one function (change.Set.Enter), and record, receipt and lifecycle
//     event are committed together or not at all.
//   - At most one learning target (a session and its examples) has not ended.
//   - Capture runs only while the state says capturing and somebody can see it: emission stops before a pause is acknowledged
//     and starts after the state was committed; without a live indicator it pauses within seconds.
//   - Nothing is installed without a passed validation of exactly the revision and content that the person saw.
//
// Not guaranteed: Service does not prove that a person is behind a call; it trusts state.Meta, which the API's guard fills.
// Sealed values are opened in memory for one compilation and never stored by these packages.
//
// Package daemon makes a Service; the API asks through interfaces. Test it with the real store (store.Open in t.TempDir), an
// injected Now and your own Capturer; see kit_test.go.
package learn
