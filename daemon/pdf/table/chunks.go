package table

// Chunk is what stands together on a line: the words between two wide gaps.
type Chunk struct {
	Rect
	Words []Word
}

// Chunks are the lines of a page from top to bottom, each from left to right.
func Chunks(words []Word) [][]Chunk {
	lines := linesOf(words)
	out := make([][]Chunk, len(lines))
	for i, l := range lines {
		for _, c := range l.chunks {
			out[i] = append(out[i], Chunk{c.Rect, c.words})
		}
	}
	return out
}
