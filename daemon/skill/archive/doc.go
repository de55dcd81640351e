// Package archive reads a skill from an untrusted .zip, .tar or .tar.gz, and writes it into a fresh folder.
//
// The standard library's readers decode; this package decides what may be decoded. Read checks the whole archive and
// keeps its files in memory; nothing is written before all of it was found harmless. Stage then writes them through an
// os.Root into a new folder, which gets its name by one rename.
//
// Guarantees: a path is relative, clean, visible, the same on every platform and different from every other one; an
// entry is a regular file or a folder; every byte of the archive belongs to an entry or to the format's own records,
// and each is read as every reader reads it; sizes are measured, not believed; the Limits apply to nested archives
// too. A failure of Read leaves nothing because it wrote nothing; a failure of Stage removes what it wrote. A refusal
// is a fault with code SKILL_ARCHIVE_REFUSED, or SKILL_IMPORT_FILE_TOO_LARGE, and details.reason, one of the Reasons.
//
// Not guaranteed: that the files' content is harmless; the scanner judges that. Nothing here follows, opens or runs
// them.
//
// To test against it: Pack makes an archive that Read accepts; testdata and the fuzz target hold many that it must
// not.
package archive

import (
	"showhow/internal/fault"
)

// Limits of one archive. The zero value means Default.
type Limits struct {
	Upload  int64 // bytes of the archive itself
	Bytes   int64 // of all files together, unpacked
	File    int64 // of one file, unpacked
	Entries int   // files and folders
	Depth   int   // folders in a path
	Ratio   int64 // unpacked to packed, of a file or of all together, once it is more than small
	Nested  int   // archives inside archives that are looked into
	Inner   int64 // bytes of all archives inside, unpacked
}

// Default are the limits of a skill (skill-lifecycle, security checks; DOC3 0C.20 multipart rule 6).
var Default = Limits{Upload: 100 << 20, Bytes: 10 << 20, File: 1 << 20, Entries: 2000, Depth: 16, Ratio: 250, Nested: 2, Inner: 64 << 20}

// small is a size in bytes that is never called a bomb, however well it compresses.
const small = 256 << 10

func (l Limits) orDefault() Limits {
	pick := func(v *int64, d int64) {
		if *v <= 0 {
			*v = d
		}
	}
	pick(&l.Upload, Default.Upload)
	pick(&l.Bytes, Default.Bytes)
	pick(&l.File, Default.File)
	pick(&l.Ratio, Default.Ratio)
	pick(&l.Inner, Default.Inner)
	if l.Entries <= 0 {
		l.Entries = Default.Entries
	}
	if l.Depth <= 0 {
		l.Depth = Default.Depth
	}
	if l.Nested <= 0 {
		l.Nested = Default.Nested
	}
	return l
}

// Reason is why an archive was refused. It is stable: programs may rely on it.
type Reason string

const (
	Traversal   Reason = "path_traversal"
	Absolute    Reason = "path_absolute"
	BadName     Reason = "path_unsafe"
	Reserved    Reason = "path_reserved"
	Hidden      Reason = "path_invisible"
	LongPath    Reason = "path_too_long"
	Collision   Reason = "path_collision"
	Link        Reason = "link"
	Special     Reason = "special_file"
	Setuid      Reason = "setuid"
	Encrypted   Reason = "encrypted"
	Method      Reason = "compression_unknown"
	Overlap     Reason = "entries_overlap"
	Extra       Reason = "foreign_data"
	Disagree    Reason = "records_disagree"
	LyingSize   Reason = "size_false"
	Broken      Reason = "broken"
	Bomb        Reason = "bomb"
	NestedBomb  Reason = "bomb_nested"
	TooMany     Reason = "too_many_entries"
	TooLarge    Reason = "unpacked_too_large"
	FileLarge   Reason = "file_too_large"
	UploadLarge Reason = "archive_too_large"
	Empty       Reason = "empty"
	NoSkill     Reason = "no_skill"
	ManySkills  Reason = "several_skills"
	NoArchive   Reason = "no_archive"
)

// sentences are the reasons in words.
var sentences = map[Reason]string{
	Traversal:   "the archive holds a path that leaves its folder",
	Absolute:    "the archive holds an absolute path",
	BadName:     "the archive holds a file name that is not safe everywhere",
	Reserved:    "the archive holds a file name that Windows keeps for devices",
	Hidden:      "the archive holds a file name with invisible or control characters",
	LongPath:    "the archive holds a path that is too long or too deep",
	Collision:   "the archive holds two paths that are one on another system",
	Link:        "the archive holds a link",
	Special:     "the archive holds a device or another special file",
	Setuid:      "the archive holds a program that would run as somebody else (setuid or setgid)",
	Encrypted:   "the archive is encrypted: nobody could review it",
	Method:      "the archive uses a compression that is not read here",
	Overlap:     "entries of the archive overlap",
	Extra:       "the archive holds data that belongs to no file, before, between or after its entries",
	Disagree:    "the archive tells two stories: its records disagree about a file",
	LyingSize:   "a file in the archive is not as long as the archive says",
	Broken:      "the archive is damaged",
	Bomb:        "the archive unpacks to far more than it is",
	NestedBomb:  "an archive inside the archive unpacks to far too much, or holds too many others",
	TooMany:     "the archive holds too many files",
	TooLarge:    "the archive is too large when unpacked",
	FileLarge:   "a file in the archive is too large",
	UploadLarge: "the archive is too large",
	Empty:       "the archive is empty",
	NoSkill:     "there is no SKILL.md in it",
	ManySkills:  "there is more than one skill in it",
	NoArchive:   "this is no .zip, .tar or .tar.gz",
}

var hints = map[Reason]string{
	Link:       "pack the files themselves instead of links",
	Encrypted:  "pack it again without a password",
	Method:     "pack it again with the usual deflate compression",
	NoSkill:    "a skill is a folder with a SKILL.md",
	ManySkills: "name the folder of the one to import (--path)",
	NoArchive:  "pack the skill's folder as .zip or .tar.gz",
	Broken:     "fetch or pack it again",
	Traversal:  repack, Absolute: repack, Reserved: rename, Hidden: rename, LongPath: rename, Collision: rename,
	Special: "pack ordinary files only", Setuid: "take the setuid and setgid bits off and pack it again",
	Overlap: repack, Extra: repack, Disagree: repack, LyingSize: repack, Bomb: repack,
	NestedBomb: "leave the inner archives out, or pack what they hold", Empty: "pack the skill's folder as .zip or .tar.gz",
	BadName: `names have no \ : * ? " < > | and do not end in a dot or space`,

	TooMany:     "a skill may have 2,000 files and folders: leave out what no agent reads, such as packages and build output",
	TooLarge:    "a skill may have 10 MB of files: leave out what no agent reads, such as packages, recordings and build output",
	FileLarge:   "a file of a skill may have 1 MB: split it, or leave it out",
	UploadLarge: "an archive may have 100 MB: pack the skill's folder alone",
}

const (
	repack = "no ordinary tool packs this: fetch it again from where it is published, or pack the skill's folder yourself"
	rename = "rename the file, or leave it out, and pack the folder again"
)

// Advice says what to do about a reason.
func (r Reason) Advice() string { return hints[r] }

// Reasons lists every reason with its sentence, for docs and tests.
func Reasons() map[Reason]string { return sentences }

// refuse makes the fault. entry is the number of the offending entry, from 1; 0 for the whole archive. Its name stays
// out: whoever made the archive wrote it.
func refuse(r Reason, entry int) *fault.Error {
	code := fault.SkillArchiveRefused
	switch r {
	case UploadLarge, TooLarge, FileLarge:
		code = fault.SkillImportFileTooLarge
	case NoArchive:
		code = fault.SkillImportArchiveRequired
	}
	f := fault.New(code, sentences[r]).WithDetail("reason", string(r))
	if h := hints[r]; h != "" {
		f = f.WithHint(h)
	}
	if entry > 0 {
		f = f.WithDetail("entry", entry)
	}
	return f
}

// ReasonOf is the reason of a refusal, "" for another error.
func ReasonOf(err error) Reason {
	if err == nil {
		return ""
	}
	r, _ := fault.From(err).Details["reason"].(string)
	return Reason(r)
}
