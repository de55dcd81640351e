// Package learn combines the packages of learning into the one canonical learning runtime (DOC3 0B.10; "teach" is an
// old name for it). Service embeds all of them, runs their timers and recovers them after a crash.
//
//	state, port     shared by all: records and states; the interfaces of what learning needs
//	live, change    the captures running now; the only way to change sessions and proposals
//	boundary, query where a demonstration begins and ends; reading sessions
//	control         capture: start, pause, resume, stop, cancel, time limits
//	session         creating sessions and changing their goal, scope and marks
//	proposal        reading proposals
//	drafting        compiling demonstrations into drafts
//	validation      running a draft's validation
//	install         a person's decision on a draft
//	housekeeping    deletion, purge, archive
//	importmirror    imports shown as sessions
//
// Each package imports only those above it.
//
// Guarantees:
//   - A session's state changes only along DOC3 0C.1A, through one function (change.Set.Enter), and record, receipt and
//     lifecycle event are committed together or not at all.
//   - At most one learning target (a session and its examples) is open.
//   - Capture runs only while the state is capturing and somebody can see it: emission stops before a pause is
//     acknowledged and starts after the state is committed; without a live indicator it pauses within seconds.
//   - Nothing is installed without a passed validation of exactly the revision and content that the person saw.
//
// Not guaranteed: Service does not prove that a person is behind a call; it trusts state.Meta, which the API's guard
// fills in. Sealed values are opened in memory for one compilation and never stored by these packages.
//
// Package daemon makes a Service; the API calls it through interfaces. Test it with the real store (store.Open in
// t.TempDir), an injected Now and your own Capturer; see kit_test.go.
package learn
