// Package find finds, on a live page, the element that a demonstration meant.
//
// It matches by meaning: role, accessible name, label, placeholder and text; purpose (type of field, choices, link
// target); and place (dialog, form, region, heading, the row of a key). Test ids and hand-written ids support a
// candidate, document position hardly counts; neither is ever enough. Words are compared by what programs call their
// controls in the languages that internal/lang knows, so that a renamed or translated control is recognised, and
// "Delete" is never "Save".
//
// Guarantees:
//
//   - The element returned is the only one that fits: the next best is worse by a margin (judge.go).
//     Otherwise the answer is NotFound: missing or ambiguous, with what was expected and what was there.
//   - Role and purpose agree: a text field is never taken for a checkbox, nor a link in another row for
//     the row's own.
//   - Differences from the demonstration are described in words (Found.Drift); changed ids, classes and
//     nesting are not mentioned.
//   - The page is only read, from an isolated world that it cannot touch. Frames of every kind and shadow
//     roots, closed ones included, are seen.
//
// Found and NotFound contain text of the page: whoever keeps it redacts it first.
//
// Not guaranteed: that a control is found whose words changed beyond the lexicon and that nothing else identifies;
// refusing is the right answer there. Find does not wait: the caller looks again until the page is ready.
//
// How to test: the tests drive a real Chromium. bench/corpus/mutate measures right, refused and wrong answers on
// changed pages.
package find
