// Package find finds, on a live page, the element that a demonstration meant.
//
// It looks for meaning: role, accessible name, label, placeholder and text, purpose (kind of field, choices, where a link leads),
// and place (dialog, form, region, heading, the row of a key). Test ids and written ids support a candidate, position in the
// document hardly counts; neither is ever enough. Words are compared through what programs call their controls in the
// languages that internal/lang knows, so that a renamed or translated control is recognised, and "Delete" is never "Save".
//
// Guarantees:
//   - The element returned is the only one that fits: the next best is worse by a margin (judge.go). Otherwise the answer is
//     NotFound: missing or ambiguous, with what was expected and what was there.
//   - Role and purpose agree: a field that takes text is never a box to tick, a link in another row is never the row's.
//   - What differs from what was shown is told in words (Found.Drift); changed ids, classes and nesting are not told.
//   - The page is only read, from an isolated world that it cannot touch. Frames of every kind and shadow roots, closed ones too, are seen.
//
// What Found and NotFound say is text of the page: whoever keeps it redacts it first.
//
// Not guaranteed: that a control which changed its words beyond the lexicon, and has nothing else to tell it by, is found; refusing
// is the right answer there. It does not wait: the caller looks again until the page is ready.
//
// How to test: the tests drive a real Chromium. bench/corpus/mutate measures right, refused and wrong on changed pages.
package find
