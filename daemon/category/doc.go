// Package category manages a person's categories for skills, proposals and other items: titled, coloured groups that
// may overlap (DOC3 0C.21).
//
// Guarantees: a change, its receipt, its event and the canonical files (system/categories) are one transaction;
// deleting a category removes its assignments and nothing else; titles are unique regardless of case; there are at
// most 100 categories. Not guaranteed: that an assigned item still exists. An assignment outlives its item.
//
// To test against it: New over a store in t.TempDir.
package category
