// Package prose judges what the sentences of a skill ask an agent to do. Every word has kinds (kinds.go; the words are in internal/lang):
// what is done, to what, for whom, who is not told. rules.txt says which kinds in one sentence, or in sentences that go on with each
// other, make which finding, and wordings.txt which findings whole wordings make. Guards (guard.go) are weighed by what they govern.
//
// It sees words, not their consequences, and it is one part of a scan: a quotation of an attack as a warning is
// weighed by its place. Test it with sentences; pairs that differ in one word say most.
package prose
