package store

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"showhow/daemon/access"
	"showhow/internal/clock"
)

func TestAgentsAreAddedFoundAndRevoked(t *testing.T) {
	s := open(t, t.TempDir())
	ctx, now := t.Context(), clock.Now()
	token := access.NewToken(access.AgentPrefix)
	add := func(name, token string) bool {
		ok, err := s.AddAgent(ctx, access.AgentRow{AgentID: clock.NewID(), Name: name, CreatedAt: now}, access.HashToken(token), "c1")
		if err != nil {
			t.Fatal(err)
		}
		return ok
	}
	if !add("scout", token) || add("scout", access.NewToken(access.AgentPrefix)) {
		t.Fatal("a name in force is one agent's")
	}
	a, ok, err := s.AgentByToken(ctx, access.HashToken(token))
	if err != nil || !ok || a.Name != "scout" || a.RevokedAt != nil {
		t.Fatalf("%+v %v %v", a, ok, err)
	}
	if a, ok, err = s.RevokeAgent(ctx, "scout", now.Plus(time.Second), "c2"); err != nil || !ok || a.RevokedAt == nil {
		t.Fatalf("%+v %v %v", a, ok, err)
	}
	if _, ok, _ := s.RevokeAgent(ctx, "scout", now, "c3"); ok {
		t.Error("revoked twice")
	}
	if a, ok, _ = s.AgentByToken(ctx, access.HashToken(token)); !ok || a.RevokedAt == nil {
		t.Error("a revoked token is still known, as revoked")
	}
	if !add("scout", access.NewToken(access.AgentPrefix)) {
		t.Error("a revoked agent's name can be given again")
	}
	if n := count(t, s, `SELECT count(*) FROM receipts WHERE kind IN ('agent.added','agent.revoked')`); n != 3 {
		t.Errorf("%d receipts", n)
	}
	verify(t, s)
}

func TestRememberedRequestsExpireAndAreNotReadable(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	ctx, now, p := t.Context(), clock.Now(), access.Principal{Kind: access.User}
	const id, body = "b1946ac9-2f6b-4a2b-9a55-8a4d3b9c0e11", `{"goal":"canary-in-a-response"}`
	sealed, err := access.Seal(p, id, []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	key := access.RequestKey(p, id)
	if err := s.Remember(ctx, access.Remembered{Key: key, Request: []byte("hash"), Sealed: sealed, CreatedAt: now,
		ExpiresAt: now.Plus(24 * time.Hour)}); err != nil {
		t.Fatal(err)
	}
	r, ok, err := s.Remembered(ctx, key, now.Plus(23*time.Hour))
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if plain, err := access.Open(p, id, r.Sealed); err != nil || string(plain) != body {
		t.Fatalf("%s %v", plain, err)
	}
	if _, err := access.Open(access.Principal{Kind: access.Agent, Name: "x"}, id, r.Sealed); err == nil {
		t.Error("another principal opened it")
	}
	if _, ok, _ := s.Remembered(ctx, key, now.Plus(24*time.Hour)); ok {
		t.Error("it did not expire")
	}
	later := now.Plus(25 * time.Hour)
	if err := s.Remember(ctx, access.Remembered{Key: []byte("other"), Request: []byte("h"), CreatedAt: later,
		ExpiresAt: later.Plus(time.Hour)}); err != nil {
		t.Fatal(err)
	}
	if n := count(t, s, `SELECT count(*) FROM remembered`); n != 1 {
		t.Errorf("%d rows", n)
	}
	filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if b, _ := os.ReadFile(path); bytes.Contains(b, []byte("canary-in-a-response")) || bytes.Contains(b, []byte(id)) {
			t.Errorf("readable in %s", d.Name())
		}
		return err
	})
}
