// Package prose judges what the sentences of a skill ask an agent to do: single sentences by their content, several in
// a row by their combination, all of them by what is taken, where it goes and what is kept from whom.
// The words and wordings are data of internal/lang, and wordings.txt says what each wording means.
//
// It sees words, not their consequences, and it is one part of a scan: a quotation of an attack as a warning is
// weighed by its place. Test it with sentences; pairs that differ in one word say most.
package prose
