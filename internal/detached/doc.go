// Package detached lets a program outlive the command that started it: it has a session of its own, and lets go of
// our streams once it reports that it is up. The daemon, the window and the tray are started this way.
package detached

// Env is set in the environment of programs prepared here: such a program lets go of its streams when it is up.
const Env = "SHOWHOW_DETACHED"
