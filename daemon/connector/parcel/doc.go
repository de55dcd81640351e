// Package parcel installs the npm packages of local MCP servers whose command (npx) would otherwise fetch them at each
// start.
//
// Guarantees: a package is installed once, in a sandbox that reaches only the registry; none of its scripts runs;
// every part came from the registry with a checksum. Later only these files run: Check refuses a package of which one
// changed.
//
// Package registry calls it. To test it, serve a registry on loopback.
package parcel
