// Package danger recognises actions that destroy, send, install or exceed a person's own rights: in shell lines, in
// HTTP requests and in the wording of controls. It is the one list of such words and programs; compile uses it to say
// before which steps an agent should ask, rehearse to enforce a test policy.
//
// Guaranteed: it is pure, runs nothing, and never calls something harmless because it does not know it: a program, a
// method or a word that is on no list is Unknown, and Unknown is never Reads. A Finding's text names programs and
// actions, never an argument, an address or anything else that was typed.
//
// Not guaranteed: that it understands a program's code. What a variable, a script, an alias of another session or a
// server's own interpretation of a request does is not known here; that is why the sandbox and the network guard exist
// as well.
//
// Testing against it: the tables in the tests hold true and false positives side by side; add both with a rule.
package danger

// Class is the effect of an action, mildest first.
type Class uint8

const (
	Reads     Class = iota // looks, and leaves everything as it was
	Writes                 // makes or changes something of one's own that can be changed back
	Unknown                // cannot be judged from here
	Installs               // installs programs, or runs text from elsewhere
	Sends                  // reaches other people, machines or money
	Escalates              // acts with more rights, or changes how the machine itself runs
	Destroys               // cannot be undone
	classes
)

var classNames = [classes]string{"reads", "writes", "unknown", "installs", "sends", "escalates", "destroys"}

func (c Class) String() string { return classNames[c] }

// Finding is the judgement: the gravest class and its reason. Has asks for the other classes.
type Finding struct {
	Class Class
	Why   string // a clause without a subject's values: "rm deletes files"
	all   uint8  // a bit for each class
}

// Has reports whether the action also has this class: `mail x && rm y` sends and destroys.
func (f Finding) Has(c Class) bool { return f.all&(1<<c) != 0 }

// Grave reports whether an agent should ask before the action: it cannot be undone, reaches others, or acts with more
// rights.
func (f Finding) Grave() bool { return f.Has(Destroys) || f.Has(Sends) || f.Has(Escalates) }

func finding(c Class, why string) Finding { return Finding{Class: c, Why: why, all: 1 << c} }

// and combines two actions.
func (f Finding) and(g Finding) Finding {
	out := f
	if f.all == 0 || g.Class > f.Class {
		out = g
	}
	out.all = f.all | g.all
	return out
}
