package learn

// MergeEdits is for the tests outside.
var MergeEdits = mergeEdits
