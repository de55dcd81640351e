// Package fault is the one error type that reaches people and programs: a stable code, a message that is safe to
// show, and a hint that says what to do.
//
// A fault is created where the cause is known; it is mapped once to HTTP (daemon/api) and once to an exit code (cli).
// Message and Hint never contain a submitted value, a captured text or a path of a person. Never match on error text:
// use CodeOf.
package fault

import (
	"errors"
	"fmt"
)

// Code is the stable name of a kind of failure (DOC3 0C.16B and ours). Its HTTP status, exit code and retryability
// are in codes.go.
type Code string

// Error is a failure as a caller sees it. Err, the cause, is only for logs and is never serialised.
type Error struct {
	Code    Code
	Message string
	Hint    string
	Details map[string]any
	Err     error
}

// New returns a fault with a message that is safe to show.
func New(code Code, message string) *Error { return &Error{Code: code, Message: message} }

// Newf is New with formatting. Arguments must be safe to show: ids, counts, enum values, never captured or submitted
// text.
func Newf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Wrap returns a fault that keeps its cause for the log.
func Wrap(err error, code Code, message string) *Error {
	return &Error{Code: code, Message: message, Err: err}
}

// WithHint sets the advice on what to do.
func (e *Error) WithHint(hint string) *Error { e.Hint = hint; return e }

// WithDetail adds one machine-readable detail, for example active_session_id.
func (e *Error) WithDetail(key string, value any) *Error {
	if e.Details == nil {
		e.Details = map[string]any{}
	}
	e.Details[key] = value
	return e
}

func (e *Error) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("%s: %s: %v", e.Code, e.Message, e.Err)
	}
	return fmt.Sprintf("%s: %s", e.Code, e.Message)
}

func (e *Error) Unwrap() error { return e.Err }

// From returns the fault inside err, or an INTERNAL one that hides the cause from the caller.
func From(err error) *Error {
	if err == nil {
		return nil
	}
	var f *Error
	if errors.As(err, &f) {
		return f
	}
	return Wrap(err, Internal, "something went wrong inside Showhow").WithHint("see `showhow logs`")
}

// CodeOf is the code of err: "" for nil, INTERNAL for an error that is not a fault.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	return From(err).Code
}

// Is reports whether err carries code.
func Is(err error, code Code) bool { return err != nil && CodeOf(err) == code }
