// Package learn orchestrates learning: sessions and their states, boundaries, the indicator lease, time limits, the runtime
// snapshot, questions, proposals with their revisions, and the decision of a person. It is the one canonical learning
// runtime (DOC3 0B.10); "teach" is only an old name for it.
//
// Guarantees:
//   - A session's state changes only along DOC3 0C.1A, through one function, and record, receipt and lifecycle event are
//     committed together or not at all.
//   - At most one learning target (a session and its examples) has not ended.
//   - Capture runs only while the state says capturing and somebody can see it: emission stops before a pause is
//     acknowledged and starts after the state was committed; without a live indicator it pauses within seconds.
//   - Nothing is installed without a passed validation of exactly the revision and content that the person saw.
//
// Not guaranteed: Service does not prove that a person is behind a call; it trusts Meta, which the API's guard fills.
// Sealed values are opened in memory for one compilation and never stored by this package.
//
// Test against it with the real store (store.Open in t.TempDir), an injected Now and your own Capturer; see service_test.go.
package learn
