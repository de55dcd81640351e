// Package filetime tells when a file last changed, according to the system's own change time if it keeps one:
// programs that set a file's time (touch, cp -p, tar) do not affect it.
package filetime
