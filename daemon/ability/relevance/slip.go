package relevance

// shortestSlip is how many letters a word has at least that is taken for a typing error: shorter ones are too near each other.
const shortestSlip = 5

// slip reports whether one typing error lies between two words: a letter too many, too few, another one, or two that changed places. The
// first letter is rarely mistaken, and must be the same.
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
