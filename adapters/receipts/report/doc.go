// Package report runs in the process of an agent's hook (`showhow hook AGENT`): it reads the agent's input, makes
// receipts and sends them to the daemon.
//
// A hook must never harm its agent. It exits with 0 and prints nothing whatever happens: the daemon may be absent,
// stopped, hung or full, the payload invalid. It ends at most 40 ms after its program began, which leaves ten of the
// mission's 50 for starting it. It reads its standard input to the end, because an agent may fail if its pipe closes
// early. It writes only a count to disk: a receipt that cannot be delivered is dropped and counted (Miss).
//
// If nobody wants an agent's receipts the hook finds that out with one stat (Wanted). What an agent writes into a
// file, a tool's response and a command's output are dropped here and never leave the process.
//
// Init runs the hook before the program's other packages are initialised: that alone takes longer than everything
// else that a hook does. So this package imports only what it needs, and nothing heavy: no capture, no HTTP client,
// no command line.
//
// Not guaranteed: completeness, see package receipts.
//
// To test against it: Parse with payloads (testdata holds some as the agents send them); the program itself with
// Args.
package report
