package oci

import (
	"strings"

	"oras.land/oras-go/v2/registry"

	"showhow/internal/fault"
	"showhow/internal/reach"
)

// maxReference bounds a reference, in bytes.
const maxReference = 400

// defaultTag is what a reference without tag and digest means, as everywhere.
const defaultTag = "latest"

// Reference names a skill in a registry: HOST/PATH:TAG or HOST/PATH@sha256:DIGEST.
type Reference struct{ registry.Reference }

// Parse reads a reference. The registry must be named: there is no default one.
func Parse(raw string) (Reference, error) {
	raw = strings.TrimPrefix(strings.TrimSpace(raw), "oci://")
	if len(raw) > maxReference || strings.Contains(raw, "://") {
		return Reference{}, badReference(nil)
	}
	host, _, _ := strings.Cut(raw, "/")
	if name, _, _ := strings.Cut(host, ":"); !strings.ContainsAny(host, ".:[") && name != "localhost" {
		return Reference{}, badReference(nil)
	}
	raw = canonicalHost(host) + strings.TrimPrefix(raw, host)
	r, err := registry.ParseReference(raw)
	if err != nil || r.Repository == "" {
		return Reference{}, badReference(err)
	}
	if r.Reference == "" {
		r.Reference = defaultTag
	}
	return Reference{r}, nil
}

// canonicalHost is a registry's name as it is compared: one registry must not pass for another by its spelling.
func canonicalHost(host string) string {
	host = strings.ToLower(host)
	name, port, ok := cutPort(host)
	name = strings.TrimSuffix(name, ".")
	if !ok || port == "443" && !localRegistry(name) {
		return name
	}
	return name + ":" + port
}

func badReference(err error) error {
	return fault.Wrap(err, fault.InvalidRequest, "this is no reference to a skill in a registry").
		WithHint("write it as registry.example.com/team/skill:1.2, or with @sha256:DIGEST")
}

// Name is the reference without tag and digest: what a skill is known by from version to version.
func (r Reference) Name() string { return r.Registry + "/" + r.Repository }

// pinned reports whether the reference names one content for ever.
func (r Reference) pinned() bool { return r.ValidateReferenceAsDigest() == nil }

// tag is the reference's tag, "" when it names a digest.
func (r Reference) tag() string {
	if r.pinned() {
		return ""
	}
	return r.Reference.Reference
}

// at is the same name with another tag or digest.
func (r Reference) at(reference string) Reference {
	r.Reference.Reference = reference
	return r
}

// local reports whether the registry is on this computer, which is then asked without TLS.
func (r Reference) local() bool { return localRegistry(r.Registry) }

func localRegistry(host string) bool {
	if h, port, ok := cutPort(host); ok && port != "" {
		host = h
	}
	return reach.LocalHost(strings.Trim(host, "[]"))
}

func cutPort(host string) (name, port string, ok bool) {
	i := strings.LastIndexByte(host, ':')
	if i < 0 || strings.HasSuffix(host, "]") {
		return host, "", false
	}
	return host[:i], host[i+1:], true
}
