// Package redact removes secrets and personal identifiers from text: one redactor for URLs, titles, labels, file
// names, arguments, command lines and page digests.
//
// It contains the rules of gitleaks (its rule file, copied by gen and evaluated here: patterns, keywords, entropy and
// allow-lists as gitleaks defines them, without the module and its dependencies) and our own for what they miss: the
// text before a secret (context.go, web.go), which programs take a secret where (programs.go, stores.go), the content
// of files and code (files.go, config.go), how people state one (spoken.go), personal numbers (personal.go, identity.go) and
// what looks random (shape.go). Each own rule is a declaration with texts it must and must not change; a test runs
// them all. Classes lists what is declared. One automaton of all rules' hints decides which rules are run on a text.
//
// Guarantees: Text(Text(x)) == Text(x). A found secret is replaced by [[secret KIND]] and no byte of it remains. What
// was replaced before, by [[secret KIND]] or by a mask [[KIND LENGTH LINK]], is never examined again. A closed
// Redactor lets nothing through.
//
// Not guaranteed: that a secret without form or context is recognised ("hunter2" alone is a word). Values typed into
// fields have policies of their own (package capture); the redactor is the net below them.
//
// The rules cost about 5 MB and 8 ms to load, and 2 MB more once texts have needed their patterns: Load when a
// session arms, Close when it ends (decisions B10).
package redact
