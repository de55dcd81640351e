package imports_test

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"showhow/daemon/imports"
	"showhow/daemon/skill/scan"
)

// Two imports are scanned at the same time: each scan waits until the other has begun.
func TestImportsAreScannedAtOnce(t *testing.T) {
	k := newKit(t)
	var begun sync.WaitGroup
	begun.Add(2)
	k.scan = func(r scan.Report) (scan.Report, error) {
		begun.Done()
		both := make(chan struct{})
		go func() { begun.Wait(); close(both) }()
		select {
		case <-both:
			return r, nil
		case <-time.After(time.Minute):
			return r, errors.New("the other scan did not begin")
		}
	}
	refs := []string{k.upload(k.zip()), k.upload(k.zip())}
	errs := make([]error, len(refs))
	var all sync.WaitGroup
	for i, ref := range refs {
		all.Go(func() {
			_, errs[i] = k.Scan(context.Background(), imports.Meta{}, imports.ScanRequest{TempArtifactRef: ref})
		})
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// An upload is scanned once, and an import staged once, however many ask for it at the same time.
func TestTwoRequestsForOneImport(t *testing.T) {
	k := newKit(t)
	const n = 6
	done := func(ask func() error) (right int) {
		errs := make([]error, n)
		var all sync.WaitGroup
		for i := range n {
			all.Go(func() { errs[i] = ask() })
		}
		all.Wait()
		for _, err := range errs {
			if err == nil {
				right++
			}
		}
		return right
	}
	ref := k.upload(k.zip())
	var id string
	if right := done(func() error {
		r, err := k.Scan(context.Background(), imports.Meta{}, imports.ScanRequest{TempArtifactRef: ref})
		if err == nil {
			id = r.ImportRecord.ImportID
		}
		return err
	}); right != 1 {
		t.Fatalf("scanned %d times", right)
	}
	if right := done(func() error {
		_, err := k.Stage(context.Background(), imports.Meta{}, imports.StageRequest{ImportID: id})
		return err
	}); right != 1 || k.state(id) != imports.ReadyForReview {
		t.Fatalf("staged %d times, and is %s", right, k.state(id))
	}
	if b, _, err := k.Reading(context.Background(), id); err != nil || len(b.Files) != 2 {
		t.Errorf("%d files, %v", len(b.Files), err)
	}
}

// A request that is repeated while the first one is under way keeps one upload.
func TestRepeatedUploadsAtOnce(t *testing.T) {
	k := newKit(t)
	data := k.zip()
	refs, errs := make([]string, 6), make([]error, 6)
	var all sync.WaitGroup
	for i := range refs {
		all.Go(func() {
			r, err := k.Upload(context.Background(), imports.Meta{},
				imports.Bundle{Filename: "a.zip", ContentType: "application/zip", Body: bytes.NewReader(data)}, meta("r1"))
			refs[i], errs[i] = r.TempArtifact.TempArtifactRef, err
		})
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	for _, ref := range refs {
		if ref != refs[0] {
			t.Errorf("two uploads, %s and %s", refs[0], ref)
		}
	}
	if n := len(k.files()); n != 1 {
		t.Errorf("%d files are kept", n)
	}
}
