package link

import "context"

// bare is a context without the values of the caller's own conversation: the SDK stores there the protocol revision
// that an agent uses at the door, and would use it with the service, too. The values that watch a call's HTTP stay.
type bare struct{ context.Context }

// Value implements context.Context.
func (b bare) Value(key any) any {
	if _, ok := key.(seenKey); ok {
		return b.Context.Value(key)
	}
	return nil
}

// AfterFunc lets package context follow the parent's end without a goroutine.
func (b bare) AfterFunc(f func()) func() bool { return context.AfterFunc(b.Context, f) }
