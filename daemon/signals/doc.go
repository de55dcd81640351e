// Package signals reports when capture must pause although nobody asked for it: the screen is locked, another user
// takes the seat, the machine suspends. It reads logind on Linux; other systems are not supported yet. Only package
// daemon imports it.
//
// To test against it: logindSignal parses one D-Bus signal.
package signals
