package oci

import (
	"encoding/json"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/opencontainers/go-digest"
	"github.com/opencontainers/image-spec/specs-go"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"showhow/daemon/skill"
	"showhow/daemon/skill/archive"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// Media types of a skill and of its files.
const (
	ArtifactType = "application/vnd.showhow.skill.v1"
	FileType     = "application/vnd.showhow.skill.file.v1"
)

// Annotations of the manifest, beside the title, version, description and creation time that OCI defines, and of a layer,
// beside its title, which is the file's path.
const (
	noteTrustHash = "dev.showhow.skill.trust-hash"
	noteOrigin    = "dev.showhow.skill.origin"   // learned, imported, native, promoted
	noteApproved  = "dev.showhow.skill.approved" // "true": by whoever pushed it, which counts for nothing here
	noteMode      = "dev.showhow.file.mode"      // "755"; absent: 644
)

// Facts is what a manifest says of a skill, beside its files.
type Facts struct {
	Name, Version, Description string
	TrustHash                  string
	Origin                     string
	Approved                   bool
	Created                    time.Time
}

// pack makes the manifest of a skill and the descriptors of its files, in order of path.
func pack(b skill.Bundle, f Facts) (ocispec.Manifest, error) {
	m := ocispec.Manifest{Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: ocispec.MediaTypeImageManifest, ArtifactType: ArtifactType,
		Config: ocispec.DescriptorEmptyJSON, Layers: []ocispec.Descriptor{}, Annotations: map[string]string{
			ocispec.AnnotationTitle: f.Name, ocispec.AnnotationVersion: f.Version, noteTrustHash: f.TrustHash, noteOrigin: f.Origin,
		}}
	if f.Description != "" {
		m.Annotations[ocispec.AnnotationDescription] = f.Description
	}
	if f.Approved {
		m.Annotations[noteApproved] = "true"
	}
	if !f.Created.IsZero() {
		m.Annotations[ocispec.AnnotationCreated] = f.Created.UTC().Format(time.RFC3339)
	}
	m.Config.Data = nil // the blob itself is pushed, as older registries want it
	for _, x := range b.Files {
		d := ocispec.Descriptor{MediaType: FileType, Digest: digest.FromBytes(x.Data), Size: int64(len(x.Data)),
			Annotations: map[string]string{ocispec.AnnotationTitle: x.Path}}
		if x.Mode&0o111 != 0 {
			d.Annotations[noteMode] = "755"
		}
		m.Layers = append(m.Layers, d)
	}
	if len(m.Layers) > archive.Default.Entries {
		return m, fault.New(fault.SkillImportFileTooLarge, "the skill has too many files for a registry").WithHint(archive.TooMany.Advice())
	}
	return m, nil
}

// parse reads a manifest that a registry gave and checks it before anything that it names is asked for.
func parse(raw []byte, lim archive.Limits) (ocispec.Manifest, Facts, error) {
	var m ocispec.Manifest
	if err := json.Unmarshal(raw, &m); err != nil {
		return m, Facts{}, notASkill(err)
	}
	if m.ArtifactType != ArtifactType || m.MediaType != "" && m.MediaType != ocispec.MediaTypeImageManifest || len(m.Layers) == 0 {
		return m, Facts{}, notASkill(nil)
	}
	if len(m.Layers) > lim.Entries {
		return m, Facts{}, tooLarge(archive.TooMany)
	}
	total := int64(0)
	for _, l := range m.Layers {
		switch {
		case l.MediaType != FileType || l.Digest.Validate() != nil || l.Digest.Algorithm() != digest.SHA256 || l.Size < 0 || len(l.URLs) > 0:
			return m, Facts{}, notASkill(nil)
		case l.Size > lim.File:
			return m, Facts{}, tooLarge(archive.FileLarge)
		}
		if total += l.Size; total > lim.Bytes {
			return m, Facts{}, tooLarge(archive.TooLarge)
		}
	}
	say := func(key string, n int) string { return oneLine(m.Annotations[key], n) }
	f := Facts{Name: say(ocispec.AnnotationTitle, 80), Version: say(ocispec.AnnotationVersion, 80),
		Description: say(ocispec.AnnotationDescription, 1024), TrustHash: say(noteTrustHash, 64), Approved: m.Annotations[noteApproved] == "true"}
	if o := m.Annotations[noteOrigin]; slices.Contains([]string{"learned", "imported", "native", "promoted"}, o) {
		f.Origin = o
	}
	f.Created, _ = time.Parse(time.RFC3339, m.Annotations[ocispec.AnnotationCreated])
	return m, f, nil
}

// oneLine is what a registry says of itself, on one line and of a bounded length.
func oneLine(s string, n int) string {
	breaks := func(r rune) bool { return r < ' ' || r == 0x7f || r == '\u2028' || r == '\u2029' }
	return plain.Cut(strings.Join(strings.FieldsFunc(s, breaks), " "), n)
}

// mode is the file mode that a layer asks for.
func mode(l ocispec.Descriptor) fs.FileMode {
	if l.Annotations[noteMode] == "755" {
		return 0o755
	}
	return 0o644
}

func notASkill(err error) error {
	return fault.Wrap(err, fault.RegistryContent, "what the registry has there is no skill").WithDetail("reason", "no_skill").
		WithHint("a skill has the artifact type " + ArtifactType + "; `showhow skill search` lists skills")
}

func tooLarge(r archive.Reason) error {
	return fault.New(fault.SkillImportFileTooLarge, "the skill is larger than a skill may be; none of it was read").
		WithDetail("reason", string(r)).WithHint(r.Advice())
}
