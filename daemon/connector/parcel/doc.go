// Package parcel installs the packages of local MCP servers whose command (npx, uvx, pipx) would otherwise fetch them at
// each start: npm's with npm, Python's with pip.
//
// Guarantees: a package is installed once, in a sandbox that reaches only the registry; none of its scripts runs, and a
// Python package is installed only as a wheel, which needs none; every part came from the registry with a checksum.
// Later only these files run: Check refuses a package of which one changed. An interpreter whose own folder holds the
// home or Showhow's data is not used, because programs are shown that folder.
//
// Its user installs and sweeps one at a time, and sweeps after each installation: that removes what an interrupted one
// left. Package registry does so. To test it, serve a registry on loopback.
package parcel
