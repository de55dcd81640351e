package wire

import "showhow/internal/clock"

// SkillPushRequest pushes an approved skill to a registry.
type SkillPushRequest struct {
	AbilityID       string `json:"ability_id" minLength:"1" maxLength:"160" doc:"its id or its name"`
	Reference       string `json:"reference" minLength:"1" maxLength:"400" doc:"where to: HOST/PATH:TAG; the tag is latest if there is none"`
	Version         string `json:"version,omitempty" maxLength:"80" doc:"the tag otherwise"`
	WithExamples    bool   `json:"with_examples,omitempty" doc:"also what is kept back otherwise: examples, evidence, the story of the demonstration"`
	Unsigned        bool   `json:"unsigned,omitempty" doc:"do not sign it"`
	Seal            string `json:"seal,omitempty" maxLength:"64" doc:"of the preview that the person saw; a push without it, or of anything else, is refused"`
	ClientRequestID string `json:"client_request_id,omitempty" maxLength:"120"`
	SchemaVersion   int    `json:"schema_version" enum:"1"`
}

// SkillPushPreview is everything that a push would send.
type SkillPushPreview struct {
	AbilityID   string            `json:"ability_id" maxLength:"160"`
	Title       string            `json:"title" maxLength:"200"`
	Reference   string            `json:"reference" maxLength:"400"`
	Registry    string            `json:"registry" maxLength:"260" doc:"the host that gets it"`
	Version     string            `json:"version" maxLength:"80"`
	Annotations map[string]string `json:"annotations" doc:"what the registry shows beside the files, and its time"`

	ContentHash string `json:"content_hash" maxLength:"64" doc:"the trust hash of what leaves"`
	OwnHash     string `json:"own_hash" maxLength:"64" doc:"the trust hash of the skill here; another one if something is left out"`

	Files     []ImportFileInfo    `json:"files"`
	Bytes     int                 `json:"bytes"`
	LeftOut   []SkillLeftOut      `json:"left_out" doc:"what is kept back"`
	Sites     []string            `json:"sites" maxLength:"253" doc:"names of sites that it holds or needs"`
	Sentences []string            `json:"sentences" doc:"the example requests in it"`
	NotFor    []string            `json:"not_for" doc:"the example requests in it that it is not for"`
	Asks      ScanPermissions     `json:"asks" doc:"what it asks for where it is pulled: what the scan finds it to use, and the tools that it declares"`
	Personal  []SkillPersonalData `json:"personal" doc:"what looks personal, or secret, in its files"`
	NotText   []string            `json:"not_text" maxLength:"240" doc:"files that are no text, such as pictures: what they show was not looked into"`
	Findings  []ScanFinding       `json:"findings" doc:"what the scanner says of it, as it will where it is pulled"`
	Verdict   string              `json:"verdict" enum:"clean,review,blocked"`
	Blocked   bool                `json:"blocked" doc:"it holds a secret, so it is not pushed"`

	Replaces     *SkillInRegistry `json:"replaces,omitempty" doc:"what the tag leads to now"`
	AlreadyThere bool             `json:"already_there" doc:"the tag leads to exactly this, so nothing would be sent"`

	Signed   bool   `json:"signed" doc:"it will be signed with this computer's key; if not, because you say so or there is no keychain for one"`
	Signer   string `json:"signer,omitempty" maxLength:"64" doc:"the key's fingerprint; absent: the push makes the key"`
	SignedBy string `json:"signed_by,omitempty" maxLength:"64" doc:"already there: who signed it"`

	OtherKeys  []string `json:"other_keys" maxLength:"64" doc:"other keys, which signed what is there: whoever accepted one is refused this push"`
	KeysUnread bool     `json:"keys_unread" doc:"the registry does not show what the repository holds, so other_keys may lack some"`

	Seal          string `json:"seal" maxLength:"64" doc:"over all that leaves, and where to"`
	Revision      int    `json:"revision" doc:"of the ability"`
	SchemaVersion int    `json:"schema_version" enum:"1"`
}

// SkillLeftOut is a file that is kept back.
type SkillLeftOut struct {
	Path     string `json:"path" maxLength:"240"`
	Why      string `json:"why" enum:"demonstration,evidence,examples"`
	Replaced bool   `json:"replaced,omitempty" doc:"a line stands in its place, because SKILL.md refers to it"`
}

// SkillPersonalData is a place in a skill that looks personal.
type SkillPersonalData struct {
	Path   string `json:"path" maxLength:"240"`
	Line   int    `json:"line" minimum:"1"`
	Kind   string `json:"kind" maxLength:"40"`
	Secret bool   `json:"secret" doc:"a push is refused until it is gone"`
	Text   string `json:"text,omitempty" maxLength:"120" doc:"absent for a secret"`
}

// SkillInRegistry is what a reference leads to.
type SkillInRegistry struct {
	Digest      string `json:"digest" maxLength:"80"`
	Version     string `json:"version,omitempty" maxLength:"80"`
	ContentHash string `json:"content_hash,omitempty" maxLength:"64" doc:"as its manifest says; absent: it is no skill"`
}

// SkillPushed is the result of a push.
type SkillPushed struct {
	Reference     string `json:"reference" maxLength:"400"`
	Digest        string `json:"digest" maxLength:"80" doc:"names exactly this content for ever: HOST/PATH@DIGEST"`
	ContentHash   string `json:"content_hash" maxLength:"64"`
	AlreadyThere  bool   `json:"already_there" doc:"nothing had to be sent"`
	Signer        string `json:"signer,omitempty" maxLength:"64" doc:"the fingerprint of the key that signed it, for those who pull"`
	ReceiptID     string `json:"receipt_id,omitempty" format:"uuid"`
	SchemaVersion int    `json:"schema_version" enum:"1"`
}

// SkillSearchQuery searches a registry.
type SkillSearchQuery struct {
	In    string `query:"in" required:"true" minLength:"1" maxLength:"400" doc:"HOST or HOST/PREFIX"`
	Words string `query:"words" maxLength:"200" doc:"only names that hold all of these words"`
	Limit int    `query:"limit" minimum:"1" maximum:"500" default:"50"`
}

// SkillSearchResult lists skills of a registry by name.
type SkillSearchResult struct {
	Items         []SkillFound `json:"items"`
	Total         int          `json:"total" doc:"names that fit; some may hold no skill"`
	LookedAt      int          `json:"looked_at" doc:"of them, the first ones by name, up to the limit"`
	Unread        int          `json:"unread" doc:"of those looked at: did not answer in time, or not as a registry does"`
	SchemaVersion int          `json:"schema_version" enum:"1"`
}

// SkillFound is a skill in a registry, as its newest tag's manifest describes it.
type SkillFound struct {
	Reference   string      `json:"reference" maxLength:"400"`
	Name        string      `json:"name" maxLength:"80"`
	Version     string      `json:"version,omitempty" maxLength:"80"`
	Description string      `json:"description,omitempty" maxLength:"1024"`
	Digest      string      `json:"digest" maxLength:"80"`
	ContentHash string      `json:"content_hash,omitempty" maxLength:"64"`
	Files       int         `json:"files"`
	Tags        []string    `json:"tags"`
	PushedAt    *clock.Time `json:"pushed_at,omitempty" format:"date-time"`
	InstalledAs string      `json:"installed_as,omitempty" maxLength:"120" doc:"the installed skill that came from there"`
}

// SkillOutdatedList compares installed skills with their registries.
type SkillOutdatedList struct {
	Items         []SkillOutdated `json:"items"`
	SchemaVersion int             `json:"schema_version" enum:"1"`
}

// SkillOutdated is an installed skill and what its registry has now.
type SkillOutdated struct {
	AbilityID   string          `json:"ability_id" maxLength:"160"`
	SkillSlug   string          `json:"skill_slug" maxLength:"120"`
	Reference   string          `json:"reference" maxLength:"400"`
	Digest      string          `json:"digest" maxLength:"80"`
	Version     string          `json:"version,omitempty" maxLength:"80"`
	State       string          `json:"state" enum:"current,newer,older,pinned,gone,unknown" doc:"older: an earlier push than the installed one"`
	Available   *SkillAvailable `json:"available,omitempty" doc:"of newer and older"`
	Signer      string          `json:"signer,omitempty" maxLength:"64" doc:"the key that signed what was pulled"`
	ChangedHere bool            `json:"changed_here" doc:"its approved content is not the one that was pulled"`
	Unapproved  bool            `json:"unapproved" doc:"its files are not as they were approved; until a person approves them it is not used"`
	Code        string          `json:"code,omitempty" maxLength:"80" doc:"of unknown: why the registry did not answer"`
}

// SkillAvailable is what a registry has in the place of an installed skill.
type SkillAvailable struct {
	Reference   string `json:"reference" maxLength:"400"`
	Digest      string `json:"digest" maxLength:"80"`
	Version     string `json:"version,omitempty" maxLength:"80"`
	ContentHash string `json:"content_hash,omitempty" maxLength:"64"`
}

// SkillVerifyQuery names what to verify.
type SkillVerifyQuery struct {
	Reference string `query:"reference" required:"true" minLength:"1" maxLength:"400" doc:"HOST/PATH:TAG or HOST/PATH@DIGEST"`
	Signer    string `query:"signer" maxLength:"64" doc:"the fingerprint of the key that must have signed it"`
}

// SkillVerified is a skill in a registry that holds: every file, the trust hash, and the signature as far as there must be one.
type SkillVerified struct {
	Reference     string           `json:"reference" maxLength:"400"`
	Digest        string           `json:"digest" maxLength:"80"`
	Version       string           `json:"version,omitempty" maxLength:"80"`
	ContentHash   string           `json:"content_hash" maxLength:"64"`
	Files         int              `json:"files"`
	PushedAt      *clock.Time      `json:"pushed_at,omitempty" format:"date-time"`
	Signer        string           `json:"signer,omitempty" maxLength:"64" doc:"the fingerprint of the key that counts; absent: nobody signed it"`
	Expected      string           `json:"expected,omitempty" maxLength:"64" doc:"the key that you accepted for this name before"`
	Yours         bool             `json:"yours" doc:"the signer is this computer's key"`
	Signatures    []SkillSignature `json:"signatures"`
	InstalledAs   string           `json:"installed_as,omitempty" maxLength:"120"`
	SchemaVersion int              `json:"schema_version" enum:"1"`
}

// SkillSignature is one signature that a registry has for a skill.
type SkillSignature struct {
	Signer   string      `json:"signer,omitempty" maxLength:"64" doc:"absent: it could not be read"`
	SignedAt *clock.Time `json:"signed_at,omitempty" format:"date-time" doc:"as the signer says"`
	For      string      `json:"for,omitempty" maxLength:"400" doc:"the name and tag that it was signed for"`
	Problem  string      `json:"problem,omitempty" enum:"unreadable,wrong,content,expired" doc:"why it does not count"`
}

// SkillSigner is this computer's signing key.
type SkillSigner struct {
	Signer        string `json:"signer,omitempty" maxLength:"64" doc:"its fingerprint; absent: the first push makes it"`
	Available     bool   `json:"available" doc:"there is a keychain that holds it"`
	SchemaVersion int    `json:"schema_version" enum:"1"`
}
