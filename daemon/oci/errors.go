package oci

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"

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
		return at(fault.RegistryAddress, "the registry is at, or leads to, an address of this machine or of its network's own",
			"a registry on this computer is named as localhost:PORT/NAME, and leads nowhere else on it")
	case errors.Is(err, errPlain):
		return at(fault.RegistryAddress, "the registry leads to an address that could be read on the way", "only https is followed")
	case errors.Is(err, errdef.ErrNotFound), status == http.StatusNotFound:
		return at(fault.RegistryNotFound, "the registry has no such skill", "look at the name and the tag; `showhow skill search` lists skills")
	case errors.Is(err, auth.ErrBasicCredentialNotFound), status == http.StatusUnauthorized:
		return at(fault.RegistrySignIn, "the registry wants you to sign in",
			"`docker login "+r.Registry+"` or `oras login "+r.Registry+"`, then try again")
	case status == http.StatusForbidden:
		return at(fault.RegistrySignIn, "the registry does not let you do this", "ask whoever runs it, or sign in as somebody else")
	case status == http.StatusTooManyRequests:
		return at(fault.RegistryUnreachable, "the registry asked to wait", "try again later")
	case errors.Is(err, errdef.ErrSizeExceedsLimit), errors.Is(err, errdef.ErrTooManyPages):
		return at(fault.RegistryContent, "the registry answers with more than is read", "none of it was kept")
	case errors.Is(err, content.ErrMismatchedDigest), errors.Is(err, content.ErrTrailingData),
		errors.Is(err, content.ErrInvalidDescriptorSize):
		return otherContent(err)
	case status >= 400 && status < 500:
		return at(fault.RegistryUnreachable, "the registry refused the request",
			"look at the reference; some registries want a repository made first")
	}
	message, hint := unanswered(err, status)
	return at(fault.RegistryUnreachable, message, hint)
}

// unanswered says why there was no answer of a registry: what a person looks at differs.
func unanswered(err error, status int) (message, hint string) {
	var (
		name  *net.DNSError
		op    *net.OpError
		cert  *tls.CertificateVerificationError
		plain tls.RecordHeaderError
		wait  interface{ Timeout() bool }
	)
	switch {
	case errors.As(err, &name) && name.IsNotFound:
		return "there is no host of the registry's name", "look at the host in the reference; a network of its own may have to be joined"
	case errors.As(err, &name):
		return "the registry's name could not be looked up", "look at the network, then try again"
	case errors.As(err, &cert):
		return "the registry's certificate does not hold", "look at the address; have the certificate's authority trusted by this computer"
	case errors.As(err, &plain):
		return "what answers at the registry's address does not speak TLS", "look at the port; only this computer is asked over http"
	case errors.As(err, &wait) && wait.Timeout():
		return "the registry did not answer in time", "look at the address and the network, then try again"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "the registry's answer broke off", "look at the network, then try again"
	case errors.As(err, &op) && op.Op == "dial":
		return "nothing answers at the registry's address", "look at the host and the port, and whether the registry runs"
	case status >= http.StatusInternalServerError:
		return "the registry has a failure of its own", "try again later, or tell whoever runs it"
	}
	return "what answers there does not answer as a registry does", "look at the address: something else may be there"
}

// answered reports whether the registry did answer a read: what is wrong, then, is what it gave, and another try brings the same.
func answered(err error) bool {
	var (
		transport *url.Error
		broken    *net.OpError
		status    = statusOf(err)
	)
	switch {
	case errors.As(err, &transport), errors.As(err, &broken), errors.Is(err, io.ErrUnexpectedEOF),
		errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, auth.ErrBasicCredentialNotFound):
		return false
	}
	return status != http.StatusUnauthorized && status != http.StatusTooManyRequests && status < http.StatusInternalServerError
}

// ofManifest is what it means that a content could not be read that a manifest of the same registry names.
func ofManifest(err error) error {
	switch status := statusOf(err); {
	case err == nil || !answered(err):
		return err
	case status == http.StatusNotFound:
		return tampered(err, "missing", "the registry does not have a file that the skill's manifest names")
	case status == 0:
		return otherContent(err)
	}
	return err
}

func otherContent(err error) error {
	return tampered(err, "digest", "the registry gave another content than its digest names")
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
