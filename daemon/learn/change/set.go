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
	// touched are sessions whose revision and files change; order is that of touching, the last one is the runtime snapshot's.
	touched []*state.Session
	props   map[string]*state.Proposal
	changed []*state.Proposal
}

// command loads the session that a caller acts on and checks what every command checks.
func (u *Set) command(id string) (*state.Session, error) {
	sess, err := u.Load(id)
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(state.DecidedOnImport(*sess), state.CheckNotTimedOut(*sess)); err != nil {
		return nil, err
	}
	return sess, state.CheckRevision(u.Meta, sess.Revision)
}

// NewID makes an id for a new record.
func (u *Set) NewID() string { return u.s.d.NewID() }

// Load reads a session to change; the same one each time it is asked for.
func (u *Set) Load(id string) (*state.Session, error) {
	if s := u.held[id]; s != nil {
		return s, nil
	}
	v, ok, err := u.Session(id)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, state.SessionNotFound()
	}
	u.held[id] = &v
	return &v, nil
}

// Add brings in a session that is not stored yet.
func (u *Set) Add(sess *state.Session) {
	u.held[sess.LearnSessionID] = sess
	u.Touch(sess)
}

// Touch makes Save write a session, with the next revision, after those touched before.
func (u *Set) Touch(sess *state.Session) {
	for i, t := range u.touched {
		if t == sess {
			u.touched = append(u.touched[:i], u.touched[i+1:]...)
			break
		}
	}
	u.touched = append(u.touched, sess)
}

// LoadProposal reads a proposal to change; Save writes it.
func (u *Set) LoadProposal(id string) (*state.Proposal, error) {
	if p := u.props[id]; p != nil {
		return p, nil
	}
	v, ok, err := u.Proposal(id)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, state.ProposalNotFound()
	}
	u.props[id] = &v
	u.changed = append(u.changed, &v)
	return &v, nil
}

// LoadedProposal is a proposal that this change has loaded already.
func (u *Set) LoadedProposal(id string) (*state.Proposal, bool) {
	p, ok := u.props[id]
	return p, ok
}

// AddProposal stores a new proposal, so that revisions and questions can refer to it; Save writes it again as it is by then.
func (u *Set) AddProposal(p *state.Proposal) error {
	u.props[p.ProposalID] = p
	u.changed = append(u.changed, p)
	return u.PutProposal(*p)
}
