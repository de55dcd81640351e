package change

import (
	"cmp"

	"showhow/daemon/learn/state"
	"showhow/internal/clock"
)

// Set is a unit of work: the sessions, boundaries and proposal that change in one transaction, with their receipts and
// events. Save writes what was touched and the files that mirror it.
type Set struct {
	state.Tx
	s    *Store
	Meta state.Meta
	Now  clock.Time
	held map[string]*state.Session
	// touched are the sessions whose revision and files change, in the order of touching; the runtime snapshot shows
	// the last.
	touched []*state.Session
	props   map[string]*state.Proposal
	changed []*state.Proposal
}

// command loads the session of a command and makes the checks that every command needs.
func (set *Set) command(id string) (*state.Session, error) {
	sess, err := set.Load(id)
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(state.CheckNotImport(*sess), state.CheckNotTimedOut(*sess)); err != nil {
		return nil, err
	}
	return sess, state.CheckRevision(set.Meta, sess.Revision)
}

// NewID makes an id for a new record.
func (set *Set) NewID() string { return set.s.d.NewID() }

// Load reads a session for changing. Loading it again returns the same one.
func (set *Set) Load(id string) (*state.Session, error) {
	if s := set.held[id]; s != nil {
		return s, nil
	}
	v, ok, err := set.Session(id)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, state.SessionNotFound()
	}
	set.held[id] = &v
	return &v, nil
}

// Add adds a session that is not stored yet.
func (set *Set) Add(sess *state.Session) {
	set.held[sess.LearnSessionID] = sess
	set.Touch(sess)
}

// Touch makes Save write a session with its next revision, after those touched before.
func (set *Set) Touch(sess *state.Session) {
	for i, t := range set.touched {
		if t == sess {
			set.touched = append(set.touched[:i], set.touched[i+1:]...)
			break
		}
	}
	set.touched = append(set.touched, sess)
}

// LoadProposal reads a proposal for changing; Save writes it.
func (set *Set) LoadProposal(id string) (*state.Proposal, error) {
	if p := set.props[id]; p != nil {
		return p, nil
	}
	v, ok, err := set.Proposal(id)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, state.ProposalNotFound()
	}
	set.props[id] = &v
	set.changed = append(set.changed, &v)
	return &v, nil
}

// LoadedProposal returns a proposal that this set has loaded already.
func (set *Set) LoadedProposal(id string) (*state.Proposal, bool) {
	p, ok := set.props[id]
	return p, ok
}

// AddProposal stores a new proposal at once, so that revisions and questions can refer to it; Save writes it again
// with later changes.
func (set *Set) AddProposal(p *state.Proposal) error {
	set.props[p.ProposalID] = p
	set.changed = append(set.changed, p)
	return set.PutProposal(*p)
}
