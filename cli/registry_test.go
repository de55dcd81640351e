//go:build unix

package cli_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"regexp"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/rogpeppe/go-internal/testscript"

	"showhow/capture/redact"
	"showhow/daemon/oci"
	"showhow/daemon/skill"
	"showhow/daemon/skill/scan"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

var mirrors = regexp.MustCompile(`^/v2/mirror[0-9]*/`)

func skillRegistry(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: registry NAME")
	}
	h := registry.New(registry.Logger(log.New(io.Discard, "", 0)), registry.WithReferrersSupport(true))
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.URL.Path = mirrors.ReplaceAllString(r.URL.Path, "/v2/team/")
		h.ServeHTTP(w, r)
	}))
	ts.Defer(srv.Close)
	ts.Setenv(args[0], strings.TrimPrefix(srv.URL, "http://"))
}

// pusher is somebody with one approved skill, and a keychain.
type pusher struct {
	file   string // of the key
	bundle skill.Bundle
}

func pushes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: pushes KEY REF FILE")
	}
	name, _, _ := strings.Cut(path.Base(args[1]), ":")
	b, err := skill.New(name, []skill.File{{Path: skill.Entry, Data: []byte(ts.ReadFile(args[2]))}})
	ts.Check(err)
	p := pusher{ts.MkAbs("key-" + args[0]), b}
	o := oci.Options{ConfigDir: ts.MkAbs("."), Skills: p, Scan: scan.Skill, Find: func(string) []redact.Span { return nil }}
	if args[0] != "-" {
		o.Keychain = p
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	s := oci.New(o)
	q := wire.SkillPushRequest{AbilityID: name, Reference: args[1]}
	plan, err := s.Preview(ctx, q)
	ts.Check(err)
	q.Seal = plan.Seal
	_, err = s.Push(ctx, q)
	ts.Check(err)
	k, err := s.Signer(ctx)
	ts.Check(err)
	ts.Setenv("KEY", k.Signer)
}

func (p pusher) Shareable(context.Context, string) (oci.Shareable, error) {
	return oci.Shareable{AbilityID: "id", Revision: 1, Title: p.bundle.Name, Origin: "learned", Bundle: p.bundle}, nil
}

func (p pusher) Installed(context.Context) ([]oci.Installed, error) { return nil, nil }

func (p pusher) Pushed(context.Context, string, wire.ImportProvenance, bool) (string, error) {
	return "", nil
}

func (p pusher) Get(context.Context, string) (string, error) {
	b, err := os.ReadFile(p.file)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fault.New(fault.NotFound, "none")
	}
	return string(b), err
}

func (p pusher) Set(_ context.Context, _, value string) error {
	return os.WriteFile(p.file, []byte(value), 0o600)
}

func (p pusher) Delete(context.Context, string) error { return os.Remove(p.file) }
