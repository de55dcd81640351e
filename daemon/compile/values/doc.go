// Package values finds the values that were supplied: the parameters, and for every column the template of its value,
// its picked object or its command line.
//
// Find goes through the columns in order and makes a parameter of every value that is not a form of an earlier one;
// Decide settles names and roles by the demonstrations, then by answers, then by edits. It guarantees that values
// without a parameter are hidden in every text, and that a parameter keeps its id over revisions. A detector (picks,
// boxes, arguments, lists, fragments) looks at one column and at what is known so far; only study.go adds to what is
// known. It does not write texts for people.
//
// It reads align and template; flow, prove and write read it. To test against it, compile a fixture and look at
// Output.Graph.Params.
package values
