// Package lang is the one place that knows languages: the meaning of words on a page, in a message or in a foreign
// skill, in any of its languages. Every list of natural-language words is in data/, one file per language; a test in
// internal/arch fails on lists elsewhere.
//
// Guaranteed: a language is complete or absent, so a query for a Concept covers all languages. Text and list go
// through the same Fold, so "Löschen", "LOSCHEN" and "Loeschen" are one word. Inflected forms are found through the
// endings in a language's file: "Ungültige Eingabe" is a Refusal because "ungültig" is. Languages that are written
// without blanks are searched inside the text. Nothing is parsed when the program starts; the first query reads the
// data, and Forget drops it.
//
// Not guaranteed: grammar. The language of a text is not determined, and a word with different meanings in two
// languages has both. Stemming is light, by endings: the snowball stemmers lack four of the languages and would have
// to guess the language of every label first.
//
// Lists that exist only in English, because Showhow writes and understands English sentences and programs have
// English names, are in data/english.txt and are queried by name: English and Table.
//
// What a text asks its reader to do is data in data/asks, for those languages that it was written for: Asks are the
// words by kind, WordingOf is a pattern over a sentence.
//
// Any package may import it; it imports nothing of ours. To test against it, query concepts, never a language's exact
// list. docs/languages.md is generated from the data by internal/lang/gen.
package lang
