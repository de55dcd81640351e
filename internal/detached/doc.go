// Package detached lets a program that a command started outlive the command: a session of its own, and no streams of ours
// once it says that it is up. The daemon, the window and the tray are started so.
package detached

// Env is set in the environment of what was prepared here: such a program leaves its streams when it is up.
const Env = "SHOWHOW_DETACHED"
