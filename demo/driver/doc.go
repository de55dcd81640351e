// Package driver is the person of a demonstration, as a separate process.
//
// It does what a person does: looks at the page, moves the mouse, presses buttons and keys in the browser, and types
// into a real interactive shell. In the browser it uses input events only. Looking is a script that reads the page
// and changes nothing; elements are found as a person finds them, by their label or visible text, and scrolled to
// with the wheel. It waits for what it can see, never for a time.
//
// It exchanges JSON lines with its parent, see Order and Report:
//
//	-> {"report":"ready","tty":"pts/3","pid":4711}                    the shell is at its prompt
//	<- {"order":"perform","debug_url":"ws://127.0.0.1:...","plan":{...}}
//	-> {"report":"step","step":"open the order"}                      one per step, when it is done
//	-> {"report":"done","watched":true,"file":"order-A-1042.csv"}     or {"report":"error","step":"...","error":"..."}
//	<- {"order":"end"}                                                or the end of the input
//
// Several perform orders may follow one another. Nothing that is typed appears in a report.
//
// It knows the order desk's pages as somebody who works there does, but neither Showhow's recorder nor its marks in
// the page.
package driver
