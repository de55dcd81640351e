// Package scope decides what a session may observe: default deny (decisions A4).
//
// Normalise brings a scope that a person wrote into the one form that Allows compares, or says what is wrong with it
// without repeating it. Neither follows links, queries a name server or reads a file: folders and hosts are compared
// as written.
//
// Imported by adapters, the pipeline and whoever accepts a scope from a person.
package scope
