package mcpconfig

// plainJSON removes the comments and trailing commas that editors allow in JSON. Strings stay unchanged.
func plainJSON(b []byte) []byte {
	out := make([]byte, 0, len(b))
	comma := -1 // where the last comma is, as long as nothing but space followed it
	for i := 0; i < len(b); i++ {
		c := b[i]
		switch {
		case c == '"':
			end := i + 1
			for end < len(b) && b[end] != '"' {
				if b[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end+1, len(b))
			out, comma, i = append(out, b[i:end]...), -1, end-1
			continue
		case c == '/' && i+1 < len(b) && b[i+1] == '/':
			for i+1 < len(b) && b[i+1] != '\n' {
				i++
			}
			continue
		case c == '/' && i+1 < len(b) && b[i+1] == '*':
			for i += 2; i+1 < len(b) && !(b[i] == '*' && b[i+1] == '/'); i++ {
			}
			i++
			continue
		case c == ',':
			comma = len(out)
		case c == '}' || c == ']':
			if comma >= 0 {
				out[comma] = ' '
			}
			comma = -1
		case c != ' ' && c != '\t' && c != '\n' && c != '\r':
			comma = -1
		}
		out = append(out, c)
	}
	return out
}
