package redact

import (
	"sync"
	"time"
)

// restTime is how long lent rules stay loaded after their last use; they cost about 15 MB.
const restTime = 30 * time.Second

// lent are the rules of everybody who needs them only now and then.
var lent struct {
	sync.Mutex
	rules *Redactor
	users int
	rest  *time.Timer
}

// Lend returns the rules for a use outside a capture. They are loaded once for all users at a time, and released a while after the last
// of them has given them back, which each must do.
func Lend() (r *Redactor, giveBack func(), err error) {
	lent.Lock()
	defer lent.Unlock()
	if lent.rules == nil {
		if lent.rules, err = Load(); err != nil {
			return nil, nil, err
		}
		lent.rest = time.AfterFunc(restTime, release)
	}
	lent.users++
	lent.rest.Stop()
	return lent.rules, sync.OnceFunc(func() {
		lent.Lock()
		defer lent.Unlock()
		if lent.users--; lent.users == 0 {
			lent.rest.Reset(restTime)
		}
	}), nil
}

// release unloads the rules unless somebody uses them again.
func release() {
	lent.Lock()
	defer lent.Unlock()
	if lent.users == 0 && lent.rules != nil {
		lent.rules.Close()
		lent.rules = nil
	}
}
