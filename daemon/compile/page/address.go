package page

import (
	"net/url"
	"strings"

	"showhow/internal/plain"
)

// HostOf returns the host of an address, with its port.
func HostOf(address string) string {
	u, err := url.Parse(MaskForm.ReplaceAllString(address, "x"))
	if err != nil {
		return ""
	}
	return u.Host
}

// PathOf returns an address without scheme, host, query and fragment; a fragment that is a route is kept.
func PathOf(address string) string {
	_, rest, ok := strings.Cut(address, "://")
	if ok {
		_, rest, _ = strings.Cut(rest, "/")
		rest = "/" + rest
	} else {
		rest = address
	}
	rest, frag, _ := strings.Cut(rest, "#")
	rest, _, _ = strings.Cut(rest, "?")
	if frag, _, _ = strings.Cut(frag, "?"); IsRoute(frag) {
		rest += "#" + frag
	}
	return rest
}

// IsRoute reports whether a fragment is a route. The first page of a program that has routes is the page itself: some add "#/" to the
// address while they load, some do not.
func IsRoute(frag string) bool {
	return (strings.HasPrefix(frag, "/") || strings.HasPrefix(frag, "!/")) && strings.Trim(frag, "!/") != ""
}

// Unrouted returns an address without its fragment.
func Unrouted(address string) string {
	address, _, _ = strings.Cut(address, "#")
	return address
}

// QueryOf returns the raw query of an address, including the query of a route.
func QueryOf(address string) string {
	_, q, _ := strings.Cut(address, "?")
	q, _, _ = strings.Cut(q, "#")
	return q
}

// PathPattern returns a path with {*} for every part that names one thing among many.
func PathPattern(address string) string { return PathShape(PathOf(MasksToRefs(address))) }

// PathShape is PathPattern for a bare path.
func PathShape(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		if strings.ContainsRune(p, RefOpen) || NamesThing(parts, i) {
			parts[i] = "{*}"
		}
	}
	return strings.Join(parts, "/")
}

// WithoutAnchor removes the fragment of an address, unless it is a route.
func WithoutAnchor(address string) string {
	rest, frag, _ := strings.Cut(address, "#")
	if IsRoute(frag) {
		return address
	}
	return rest
}

// IsAddress reports whether a text is an address or a path.
func IsAddress(s string) bool { return strings.HasPrefix(s, "/") || strings.Contains(s, "://") }

// TextKey normalises a text for comparison; an address becomes its path.
func TextKey(s string) string {
	if IsAddress(s) {
		s = PathOf(s)
	}
	return strings.ToLower(plain.Squeeze(s))
}
