// Package scope judges what a session may watch: default deny (decisions A4).
//
// Normalise brings a scope that a person wrote into the one form that Allows compares, or says what is wrong with it without
// repeating it. Neither follows links, asks a name server or reads a file: a folder and a host are compared as they are written.
//
// Imported by adapters, the pipeline and whoever takes a scope from a person.
package scope
