package link

import "context"

// bare is a context without what a caller's own conversation put into it: the SDK keeps the revision of the protocol that an agent speaks
// at the door there, and would speak it to a service, too. What a call's HTTP is seen with stays.
type bare struct{ context.Context }

// Value implements context.Context.
func (b bare) Value(key any) any {
	if _, ok := key.(seenKey); ok {
		return b.Context.Value(key)
	}
	return nil
}

// AfterFunc has package context follow the caller's end without a goroutine.
func (b bare) AfterFunc(f func()) func() bool { return context.AfterFunc(b.Context, f) }
