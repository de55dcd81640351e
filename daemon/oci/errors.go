package oci

import (
	"context"
	"errors"
	"net/http"

	"oras.land/oras-go/v2/content"
	"oras.land/oras-go/v2/errdef"
	"oras.land/oras-go/v2/registry/remote/auth"
	"oras.land/oras-go/v2/registry/remote/errcode"

	"showhow/internal/fault"
)

// failed maps what the library says to a fault. Its texts hold addresses with queries and what a registry wrote, so
// none of them is passed on.
func failed(err error, r Reference) error {
	if err == nil {
		return nil
	}
	var own *fault.Error
	if errors.As(err, &own) {
		return own
	}
	at := func(code fault.Code, message, hint string) error {
		return fault.Wrap(err, code, message).WithHint(hint).WithDetail("registry", r.Registry)
	}
	status := statusOf(err)
	switch {
	case errors.Is(err, context.Canceled):
		return fault.Wrap(err, fault.Cancelled, "the conversation with the registry was cancelled")
	case errors.Is(err, errForbidden):
		return at(fault.RegistryAddress, "the registry leads to an address of this machine or of its network's own",
			"a registry on this computer is named as localhost:PORT/NAME, and leads nowhere else on it")
	case errors.Is(err, errPlain):
		return at(fault.RegistryAddress, "the registry leads to an address that could be read on the way", "only https is followed")
	case errors.Is(err, errdef.ErrNotFound), status == http.StatusNotFound:
		return at(fault.RegistryNotFound, "the registry has no such skill", "look at the name and the tag; `showhow skill search` lists skills")
	case errors.Is(err, auth.ErrBasicCredentialNotFound), status == http.StatusUnauthorized:
		return at(fault.RegistrySignIn, "the registry wants you to sign in", "`docker login HOST` or `oras login HOST`, then try again")
	case status == http.StatusForbidden:
		return at(fault.RegistrySignIn, "the registry does not let you do this", "ask whoever runs it, or sign in as somebody else")
	case status == http.StatusTooManyRequests:
		return at(fault.RegistryUnreachable, "the registry asked to wait", "try again later")
	case errors.Is(err, errdef.ErrSizeExceedsLimit), errors.Is(err, errdef.ErrTooManyPages):
		return at(fault.RegistryContent, "the registry answers with more than is read", "none of it was kept")
	case errors.Is(err, content.ErrMismatchedDigest), errors.Is(err, content.ErrTrailingData),
		errors.Is(err, content.ErrInvalidDescriptorSize):
		return tampered(err, "digest", "the registry gave another content than its digest names")
	case status >= 400 && status < 500:
		return at(fault.RegistryUnreachable, "the registry refused the request",
			"look at the reference; some registries want a repository made first")
	}
	return at(fault.RegistryUnreachable, "the registry does not answer as a registry does",
		"look at the address, the network and its certificate")
}

// statusOf is the HTTP status of a registry's refusal, 0 for another error.
func statusOf(err error) int {
	var res *errcode.ErrorResponse
	if errors.As(err, &res) {
		return res.StatusCode
	}
	if errors.Is(err, errdef.ErrNotFound) {
		return http.StatusNotFound
	}
	return 0
}

// tampered is the refusal of content that is not what it is said to be.
func tampered(err error, reason, message string) error {
	return fault.Wrap(err, fault.RegistryContent, message).WithDetail("reason", reason).
		WithHint("none of it was kept; tell whoever runs the registry")
}
