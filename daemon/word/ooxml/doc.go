// Package ooxml reads and writes the container of a Word document: a zip file with parts, and parts that are XML.
//
// Guaranteed: a part that nobody changed is copied as it lies in the file, compressed bytes included; in a changed part
// everything that was not changed has the same bytes as before. Every document is hostile: files, parts, elements, depth
// and what a part grows to are bounded, document types and so entities are refused, nothing that a document refers to is
// fetched.
//
// Not guaranteed: that the parts obey the standard's schema; only what is read of them is checked.
//
// Package word uses it. It is small and of its own because encoding/xml, and all that stands on it, loses prefixes,
// quotes and the way that characters are written. Its tests hold it against encoding/xml and archive/zip.
package ooxml
