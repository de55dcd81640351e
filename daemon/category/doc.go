// Package category is what a person sorts skills, proposals and the like into: titled, coloured groups that overlap freely
// (DOC3 0C.21).
//
// Guarantees: a change, its receipt, its event and the canonical files (system/categories) are one transaction; deleting a
// category removes its assignments and nothing else; titles are unique regardless of case; there are at most 100 categories.
// Not guaranteed: that an assigned item still exists. What is gone is only left out of nobody's list but its own.
//
// To test against it: New over a store in t.TempDir.
package category
