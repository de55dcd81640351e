// Package parcel installs the npm packages that programs of local MCP servers come in, for commands that would fetch them at each start
// (npx).
//
// Guarantees: a package is installed once, in a sandbox that reaches the registry alone; none of its scripts runs; everything in it came
// from the registry with a checksum. Later only these files run: Check refuses a package of which one changed.
//
// Package registry calls it. To test it, serve a registry on loopback.
package parcel
