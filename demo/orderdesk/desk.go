package orderdesk

import (
	"crypto/rand"
	"crypto/subtle"
	"slices"
	"strings"
	"sync"
)

// Change is a change of one field of one order that really happened.
type Change struct {
	OrderID  string
	Field    string // as its label says
	From, To string
}

// Desk is the application's state. All methods are safe for concurrent use.
type Desk struct {
	mu       sync.Mutex
	orders   []Order // by id
	changes  []Change
	accounts map[string]string
	sessions map[string]*session
}

// session is what the desk remembers of one browser.
type session struct {
	user   string          // "" until logged in
	notice string          // shown once on the next page
	drafts map[string]form // by order: edited, not yet confirmed
}

// maxSessions bounds memory: beyond it all sessions are dropped.
const maxSessions = 1000

// New returns a desk whose orders follow from the seed.
func New(seed uint64) *Desk {
	return &Desk{orders: orders(seed), accounts: map[string]string{}, sessions: map[string]*session{}}
}

// AddAccount creates a login. A desk starts without accounts.
func (d *Desk) AddAccount(user, password string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.accounts[user] = password
}

// Orders returns the current orders.
func (d *Desk) Orders() []Order {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := slices.Clone(d.orders)
	for i := range out {
		out[i].Lines = slices.Clone(out[i].Lines)
	}
	return out
}

// Changes returns all changes since the desk was created, in order.
func (d *Desk) Changes() []Change {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.changes)
}

// Order returns one order.
func (d *Desk) Order(id string) (Order, bool) {
	for _, o := range d.Orders() {
		if o.ID == id {
			return o, true
		}
	}
	return Order{}, false
}

// find lists the orders whose id, customer or city contains the words and that have the status; empty means any.
func (d *Desk) find(words, status string) []Order {
	words = strings.ToLower(strings.TrimSpace(words))
	var out []Order
	for _, o := range d.Orders() {
		text := strings.ToLower(o.ID + "\n" + o.Customer + "\n" + o.City)
		if strings.Contains(text, words) && (status == "" || status == o.Status) {
			out = append(out, o)
		}
	}
	return out
}

// apply applies a confirmed form and returns how many fields changed.
func (d *Desk) apply(id string, f form) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.IndexFunc(d.orders, func(o Order) bool { return o.ID == id })
	if i < 0 {
		return 0
	}
	changes := f.differences(d.orders[i])
	d.orders[i] = f.applied(d.orders[i])
	d.changes = append(d.changes, changes...)
	return len(changes)
}

// with runs f on the session of this token, creating one if necessary; it returns the token.
func (d *Desk) with(token string, f func(*session)) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := d.sessions[token]
	if s == nil {
		if len(d.sessions) >= maxSessions {
			clear(d.sessions)
		}
		token, s = rand.Text(), &session{drafts: map[string]form{}}
		d.sessions[token] = s
	}
	f(s)
	return token
}

// logIn reports whether the password is that of the account.
func (d *Desk) logIn(user, password string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	want, ok := d.accounts[user]
	return ok && subtle.ConstantTimeCompare([]byte(want), []byte(password)) == 1
}
