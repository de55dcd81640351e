package relevance

// shortestSlip is the least number of letters of a word that may be a typing error: shorter words are too similar to
// each other.
const shortestSlip = 5

// slip reports whether two words differ by one typing error: a letter too many, too few, a different one, or two
// swapped. The first letter is rarely mistaken, and must be the same.
func slip(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < shortestSlip-1 || len(b) < shortestSlip || len(b) > len(a)+1 || a[0] != b[0] {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	return i+1 <= len(a) && (a[i+1:] == b[i+1:] || i+2 <= len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:])
}
