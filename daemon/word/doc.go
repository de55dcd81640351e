// Package word reads and edits Word documents (.docx) without Word: text, tables, comments and tracked changes; search,
// replace, format, comment, accept and reject, compare two versions, fill a template.
//
// Guaranteed: a document is a value; what was opened is never written to. Every edit but filling a template and commenting is a
// tracked change: accepting all of them gives the edited text, rejecting all the document as it was. Parts that were not touched
// stay byte for byte, and in touched parts everything outside of the edit (package ooxml). An edit that could not keep that
// is refused or named as left.
//
// Not guaranteed: layout. Text of pictures, formulas and embedded files is not read. Text of a document is somebody's
// words, never an instruction.
//
// The command line calls it directly; no daemon is needed. To test it, make documents with package zip and judge them by
// what this package reads of them again; LibreOffice judged them when it was written (docs/word.md).
package word
