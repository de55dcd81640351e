package imports

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"showhow/daemon/journal"
	"showhow/daemon/skill"
	"showhow/daemon/skill/archive"
	"showhow/internal/fault"
)

// Intake keeps what is uploaded or fetched, until it is scanned or expires.
type Intake struct {
	*records
	sources sources
}

// Bundle is the received file: a browser upload, or what a source was packed into.
type Bundle struct {
	Filename    string
	ContentType string
	Body        io.Reader
}

// CheckUpload checks a browser upload's name and type (multipart contract, rules 4, 5).
func CheckUpload(filename, contentType string) error {
	name := strings.ToLower(filename)
	if !strings.HasSuffix(name, ".zip") || name == ".zip" {
		return fault.New(fault.SkillImportUnsupportedExtension, "the file's name does not end in .zip").
			WithHint("upload a .zip or .skillbundle.zip; `showhow skill import PATH` also takes folders and .tar.gz")
	}
	mt, _, err := mime.ParseMediaType(contentType)
	if err != nil || mt != "application/zip" && mt != "application/x-zip-compressed" && mt != "application/octet-stream" {
		return fault.New(fault.SkillImportUnsupportedMIME, "the file's type is not that of a zip").WithHint("send it as application/zip")
	}
	return nil
}

// Upload keeps a browser upload for 24 hours. The same client_request_id with the same content gets the first response
// again. meta is called when the file has arrived, because the metadata may follow it.
func (s *Intake) Upload(ctx context.Context, m Meta, b Bundle, meta func() (UploadMetadata, error)) (UploadResponse, error) {
	if err := CheckUpload(b.Filename, b.ContentType); err != nil {
		return UploadResponse{}, err
	}
	u := Stored{Artifact: Artifact{ArtifactKind: "skill_bundle_zip", OriginalFilename: cleanName(b.Filename)}}
	part, err := s.receive(b.Body, &u)
	if err != nil {
		return UploadResponse{}, err
	}
	defer os.Remove(part)
	said, err := meta()
	if err != nil {
		return UploadResponse{}, err
	}
	if said.Source == "" {
		said.Source = ManualUpload
	}
	u.Source, u.Pack, u.Notes, u.Within = said.Source, said.RequestedPackID, said.Notes, said.Within
	u.Provenance = Provenance{Kind: "upload", Within: said.Within}
	m.ClientRequestID = said.ClientRequestID
	return s.keep(ctx, m, part, u)
}

// keep gives a received file its place and records it. A recorded file is on the disk; an unrecorded one is removed,
// now or at the next start.
func (s *Intake) keep(ctx context.Context, m Meta, part string, u Stored) (UploadResponse, error) {
	defer s.work()()
	u.Request, u.Digest = requestKey(m), digest(u)
	now := s.o.Now()
	u.TempArtifactRef, u.CreatedAt, u.ExpiresAt, u.SchemaVersion = s.o.NewID(), now, now.Plus(uploadLife), 1
	place := s.uploadPath(u.TempArtifactRef)
	if err := os.Rename(part, place); err != nil {
		return UploadResponse{}, skill.CannotWrite(err)
	}
	if err := s.at("received"); err != nil {
		return UploadResponse{}, err
	}
	kept := u
	err := s.o.Store.Update(ctx, func(tx Tx) error {
		all, err := tx.Uploads()
		if err != nil {
			return err
		}
		if i := slices.IndexFunc(all, func(x Stored) bool { return u.Request != "" && x.Request == u.Request }); i >= 0 {
			kept = all[i]
			return kept.repeats(u)
		}
		return s.recordUpload(tx, m, u, all)
	})
	if err != nil || kept.TempArtifactRef != u.TempArtifactRef {
		err = errors.Join(err, os.Remove(place))
	}
	if err != nil {
		return UploadResponse{}, err
	}
	return s.uploaded(kept), nil
}

// repeats checks that a request with the same id is the same request (0C.20 rule 10).
func (u Stored) repeats(x Stored) error {
	if u.Digest == x.Digest {
		return nil
	}
	return fault.New(fault.IdempotencyMismatch, "this client_request_id was used for another upload").
		WithHint("use a new one for every new request")
}

func (s *Intake) recordUpload(tx Tx, m Meta, u Stored, all []Stored) error {
	n, agents := 0, 0
	for _, w := range all {
		if w.Gone {
			continue
		}
		n++
		if w.Source == OwnGenerated {
			agents++
		}
	}
	if u.Source == OwnGenerated && agents >= ofAgents {
		return fault.New(fault.TooManyRequests, "too many skills that agents made wait for a decision").
			WithHint("propose it when the person has decided about some")
	}
	if n >= uploadsAtOnce {
		return fault.New(fault.TooManyRequests, "too many uploads are waiting for a decision").WithHint("discard or stage some of them")
	}
	shown, err := s.mirror(tx, Transition{Upload: u.TempArtifactRef, From: UploadPending, To: Uploaded, Correlation: m.CorrelationID})
	if err != nil {
		return err
	}
	u.SessionID = shown.SessionID
	if err := tx.PutUpload(u); err != nil {
		return err
	}
	return tellUpload(tx, m, journal.ImportUploaded, "A skill was uploaded.", u.TempArtifactRef)
}

func tellUpload(tx Tx, m Meta, kind journal.EventKind, summary, ref string) error {
	if err := tx.AddReceipt(journal.Receipt{Kind: kind, Summary: summary, CorrelationID: m.CorrelationID}); err != nil {
		return err
	}
	return tx.Emit(journal.Event{Kind: kind, Payload: map[string]any{"temp_artifact_ref": ref}})
}

// receive writes the body to a file with a random name, and computes its hash and size.
func (s *Intake) receive(body io.Reader, u *Stored) (string, error) {
	if err := os.MkdirAll(s.uploadDir(), 0o700); err != nil {
		return "", skill.CannotWrite(err)
	}
	f, err := os.CreateTemp(s.uploadDir(), partPrefix+"*") // 0600
	if err != nil {
		return "", skill.CannotWrite(err)
	}
	limit := s.o.Limits.Upload
	if limit <= 0 {
		limit = archive.Default.Upload
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(f, sum), io.LimitReader(body, limit+1))
	failed := errors.Join(err, f.Sync(), f.Close())
	head := make([]byte, 4)
	if failed == nil {
		failed = readHead(f.Name(), head)
	}
	switch {
	case n > limit:
		failed = fault.Newf(fault.SkillImportFileTooLarge, "the upload is larger than %d MB", limit>>20).WithDetail("reason",
			string(archive.UploadLarge))
	case n == 0 || failed == nil && string(head) != "PK\x03\x04" && string(head) != "PK\x05\x06":
		failed = fault.New(fault.SkillImportArchiveRequired, "the upload is no zip archive").WithDetail("reason", string(archive.NoArchive))
	case failed != nil && fault.CodeOf(failed) == fault.Internal:
		failed = fault.Wrap(failed, fault.Internal, "the upload could not be kept").WithHint("check the free space, and upload it again")
	}
	if failed != nil {
		return "", errors.Join(failed, os.Remove(f.Name()))
	}
	u.ContentHash, u.ByteSize = hex.EncodeToString(sum.Sum(nil)), n
	return f.Name(), nil
}

func readHead(name string, head []byte) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.ReadFull(f, head)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil // too short to be anything
	}
	return err
}

func requestKey(m Meta) string {
	if m.ClientRequestID == "" {
		return ""
	}
	h := sha256.Sum256([]byte(m.Principal + "\x00" + m.ClientRequestID))
	return hex.EncodeToString(h[:])
}

func digest(u Stored) string {
	u.Request, u.Provenance.FetchedAt = "", nil
	b, _ := json.Marshal(u)
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

func (s *Intake) uploaded(u Stored) UploadResponse {
	return UploadResponse{TempArtifact: s.artifact(u), Accepted: true, SchemaVersion: 1}
}

func (s *Intake) artifact(u Stored) Artifact {
	u.Warnings = []string{}
	if s.expiring(u) {
		u.Warnings = append(u.Warnings, WarnExpiring)
	}
	return u.Artifact
}

func (s *Intake) expiring(u Stored) bool { return u.ExpiresAt.Sub(s.o.Now().Time) < expiringSoon }

// DeleteUpload removes an upload, unless a running import uses it.
func (s *Intake) DeleteUpload(ctx context.Context, m Meta, ref string) (DeleteUploadResponse, error) {
	defer s.alone()()
	if !refForm.MatchString(ref) {
		return DeleteUploadResponse{}, uploadNotFound()
	}
	err := s.o.Store.Update(ctx, func(tx Tx) error {
		u, ok, err := tx.Upload(ref)
		if err != nil || !ok || u.Gone {
			return errors.Join(err, uploadNotFound())
		}
		if err := s.mayDelete(tx, u); err != nil {
			return err
		}
		if err := s.lost(tx, m, u, "upload_deleted"); err != nil {
			return err
		}
		u.Gone = true
		if err := tx.PutUpload(u); err != nil {
			return err
		}
		return tellUpload(tx, m, journal.ImportUploadDeleted, "An upload was deleted.", ref)
	})
	if err != nil {
		return DeleteUploadResponse{}, err
	}
	if err := removeFile(s.uploadPath(ref)); err != nil {
		return DeleteUploadResponse{}, err
	}
	return DeleteUploadResponse{Deleted: true, TempArtifactRef: ref, SchemaVersion: 1}, nil
}

// mayDelete fails closed: only an upload that no import needs may go (0C.20 rule 9).
func (s *Intake) mayDelete(tx Tx, u Stored) error {
	if u.ImportID == "" {
		return nil
	}
	item, ok, err := tx.Import(u.ImportID)
	if err != nil {
		return err
	}
	if ok && (item.StageState == Scanning || item.StageState == Staging || item.StageState == InstallQueued) {
		return fault.New(fault.SkillImportUploadInUse, "an import is at work on this upload").WithDetail("import_id",
			u.ImportID).WithHint("wait for it, or discard the import")
	}
	return nil
}

// Uploads lists uploads that are not staged yet, oldest first.
func (s *Intake) Uploads(ctx context.Context) (UploadList, error) {
	out := UploadList{Uploads: []Artifact{}, SchemaVersion: 1}
	err := s.o.Store.View(ctx, func(tx Tx) error {
		all, err := tx.Uploads()
		for _, u := range all {
			if !u.Gone && s.o.Now().Before(u.ExpiresAt.Time) {
				out.Uploads = append(out.Uploads, s.artifact(u))
			}
		}
		return err
	})
	return out, err
}

// cleanName keeps what can be shown of a file's name on one line.
func cleanName(name string) string {
	name = filepath.Base(strings.ReplaceAll(name, `\`, "/"))
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, name)
	r := []rune(name)
	return string(r[:min(len(r), 200)])
}
