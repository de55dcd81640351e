// Package lang is the one place that knows languages: what the words on a page, in a message or in a foreign skill mean, whatever
// language they are in. Every list of natural-language words lives in data/, one file per language; a test in internal/arch fails on
// lists elsewhere.
//
// Guaranteed: a language is complete or absent, so whoever asks for a Concept asks for it in all of them. Text and list go through the
// same Fold, so "Löschen", "LOSCHEN" and "Loeschen" are one word. Inflected forms are found through the endings that a language's file
// names: "Ungültige Eingabe" is a Refusal because "ungültig" is. Languages that are written without blanks are searched inside the
// text. Nothing is parsed when the program starts; the first question reads the data, and Forget lets go of it.
//
// Not guaranteed: grammar. Nobody here knows which language a text is in, and a word that means one thing in one language and another
// in the next counts as both. Stemming is light, by endings: the snowball stemmers lack four of the languages and would have to guess
// the language of every label first.
//
// What only English has, because Showhow writes and hears English sentences and programs have English names, is in data/english.txt
// and is asked for by name: English and Table.
//
// Every package may import it; it imports nothing of ours. To test against it, ask for concepts; never for a language's exact list.
// docs/languages.md is made from the data by internal/lang/gen.
package lang
