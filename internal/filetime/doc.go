// Package filetime tells when a file last changed, by the system's own account where it keeps one: what a program says of a
// file's time (touch, cp -p, tar) does not count there.
package filetime
