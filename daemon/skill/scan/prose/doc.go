// Package prose judges what the sentences of a skill ask an agent to do: single sentences by what they say, a few in a row by what they add
// up to, all of them by what is taken, where it goes and what is kept from whom (lexicon.txt).
//
// It sees words, not what they lead to, and it is one part of a scan: who quotes an attack to warn of it is weighed by where it stands.
// Test it with sentences; pairs that differ in one word say most.
package prose
