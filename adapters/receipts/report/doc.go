// Package report runs in the process of an agent's hook (`showhow-hook AGENT`, or `showhow hook AGENT` where that
// program is missing): it reads the agent's input, makes receipts and sends them to the daemon.
//
// A hook must never harm its agent. It exits with 0 and prints nothing whatever happens: the daemon may be absent,
// stopped, hung or full, the payload invalid. It ends at most 40 ms after its program began, which leaves ten of the
// mission's 50 for starting it. It reads its standard input to the end, because an agent may fail if its pipe closes
// early. It writes only a count to disk: a receipt that cannot be delivered is dropped and counted (Miss).
//
// If nobody wants an agent's receipts the hook finds that out with one stat (Wanted). What an agent writes into a
// file, a tool's response and a command's output are dropped here and never leave the process.
//
// An agent waits for its hook, and initialising the packages of the daemon takes longer than everything that a hook
// does. So the hook is a program of its own, and this package imports only what it needs, and nothing heavy: no
// capture, no HTTP client, no command line.
//
// Not guaranteed: completeness, see package receipts.
//
// To test against it: Parse with payloads (testdata holds some as the agents send them); the program itself with
// Args.
package report
