package registry

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"syscall"

	"showhow/daemon/connector"
	"showhow/daemon/connector/link"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

const (
	outputLines = 10
	outputWidth = 240
)

// troubleOf says why an attempt to reach a connector failed. What its program wrote to its error output is in the answer to
// this attempt alone: it may hold anything.
func troubleOf(e connector.Entry, err error, seen *link.Seen, heard *link.Hearing, mask func(string) string) *wire.MCPTrouble {
	if err == nil {
		return nil
	}
	t := &wire.MCPTrouble{Reason: remoteReason(err, seen)}
	if !heard.Started() || e.LocalBridge == nil {
		return t
	}
	text := heard.Heard()
	if mask != nil {
		text = mask(text)
	}
	for line := range strings.Lines(text) {
		if line = plain.VisibleLine(withoutColours(line)); line != "" {
			t.Output = append(t.Output, plain.Clip(line, outputWidth))
		}
	}
	t.Output = t.Output[max(0, len(t.Output)-outputLines):]
	t.Reason = localReason(e.LocalBridge.Command[0], err, heard)
	return t
}

// localReason says how a program ended.
func localReason(program string, err error, heard *link.Hearing) string {
	program = plain.Clip(filepath.Base(program), 80)
	exit, killed, ended := heard.Ended()
	switch {
	case ended && killed != "":
		return fmt.Sprintf("its program %s was ended: %s", program, killed)
	case ended && exit == notFound:
		return fmt.Sprintf("its program %s, or one that it runs, is not in its sandbox: that has the system's own and what it was lent",
			program)
	case ended && exit == notExecutable:
		return fmt.Sprintf("its program %s cannot be run (exit code %d)", program, exit)
	case ended && exit == 0:
		return fmt.Sprintf("its program %s ended at once and without an error; a service keeps running", program)
	case ended:
		return fmt.Sprintf("its program %s ended with exit code %d", program, exit)
	case fault.CodeOf(err) == fault.ConnectorUnreachable:
		return fmt.Sprintf("its program %s runs, and does not answer by MCP on its standard output", program)
	}
	return fault.From(err).Message
}

// What shells and the sandbox end with where a program is missing, or is none.
const (
	notExecutable = 126
	notFound      = 127
)

// remoteReason says why a service at an address was not reached.
func remoteReason(err error, seen *link.Seen) string {
	var dns *net.DNSError
	var cert *tls.CertificateVerificationError
	var unknown x509.UnknownAuthorityError
	var timeout net.Error
	f := fault.From(err)
	switch status := seen.Status(); {
	case f.Code != fault.ConnectorUnreachable:
	case errors.Is(err, syscall.ECONNREFUSED):
		return "nothing listens at its address (connection refused)"
	case errors.As(err, &dns):
		return "the name of its host leads nowhere"
	case errors.As(err, &cert), errors.As(err, &unknown):
		return "its certificate is not one that this computer trusts"
	case errors.As(err, &timeout) && timeout.Timeout():
		return "it did not answer in time"
	case status >= 500:
		return fmt.Sprintf("it answers with an error of its own (HTTP status %d)", status)
	case status >= 400:
		return fmt.Sprintf("it answers, but not as a service that speaks MCP does (HTTP status %d); is the address complete?", status)
	}
	return f.Message
}

// withoutColours leaves out what programs write to colour a terminal.
func withoutColours(line string) string {
	for {
		i := strings.Index(line, "\x1b[")
		if i < 0 {
			return line
		}
		j := strings.IndexFunc(line[i+2:], func(r rune) bool { return r >= '@' && r <= '~' })
		if j < 0 {
			return line[:i]
		}
		line = line[:i] + line[i+2+j+1:]
	}
}
