// Package signals says when capture must pause although nobody asked for it: the screen is locked, another user takes the seat, the
// machine suspends. It reads logind on Linux; elsewhere nothing is said yet. Package daemon alone imports it.
//
// To test against it: logindSignal reads one D-Bus signal.
package signals
