package oci

import (
	"context"
	"sync"

	"oras.land/oras-go/v2/registry/remote/auth"

	"showhow/capture/redact"
	"showhow/daemon/skill"
	"showhow/daemon/skill/archive"
	"showhow/daemon/skill/scan"
	"showhow/daemon/wire"
	"showhow/internal/clock"
)

// Options configures a Service.
type Options struct {
	// ConfigDir is the folder of docker's config.json, which names the credential store.
	ConfigDir string
	Limits    archive.Limits
	Skills    Skills
	Scan      func(ctx context.Context, b skill.Bundle) (scan.Report, error)
	// Find returns the secrets and personal identifiers in a text.
	Find func(text string) []redact.Span
	// Keychain holds the signing key; nil: pushes are not signed.
	Keychain Keychain
	// RequireSignature refuses what nobody signed.
	RequireSignature func() bool

	Now func() clock.Time
}

// Skills are the installed ones.
type Skills interface {
	// Shareable is an approved skill as a person approved it; others are refused.
	Shareable(ctx context.Context, name string) (Shareable, error)
	// Installed lists every installed skill.
	Installed(ctx context.Context) ([]Installed, error)
	// Pushed records where a skill was pushed to; sent: something left, which has a receipt.
	Pushed(ctx context.Context, abilityID string, to wire.ImportProvenance, sent bool) (receipt string, err error)
}

// Shareable is an approved skill.
type Shareable struct {
	AbilityID string
	Revision  int
	Title     string
	Origin    string                // learned, imported, native, promoted
	From      wire.ImportProvenance // where it was pulled from, or pushed to; no Reference for another skill
	Sites     []string              // hosts that it was granted or needs
	Bundle    skill.Bundle
}

// Service pushes, pulls and compares skills.
type Service struct {
	o          Options
	tokens     auth.Cache // of registries' token servers, in memory alone
	transports func() *transports
	keyMu      sync.Mutex // one makes the key
}

// New makes a service. Nothing is dialled until somebody asks for it.
func New(o Options) *Service {
	if o.Now == nil {
		o.Now = clock.Now
	}
	if o.RequireSignature == nil {
		o.RequireSignature = func() bool { return false }
	}
	return &Service{o: o, tokens: auth.NewCache(), transports: sync.OnceValue(newTransports)}
}

func (s *Service) limits() archive.Limits {
	l, d := s.o.Limits, archive.Default
	if l.Bytes <= 0 {
		l.Bytes = d.Bytes
	}
	if l.File <= 0 {
		l.File = d.File
	}
	if l.Entries <= 0 {
		l.Entries = d.Entries
	}
	return l
}
