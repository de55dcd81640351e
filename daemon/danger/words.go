package danger

import "showhow/internal/lang"

// promises is what the words of a control promise, in every language. Nouns have the same stems ("Bestellungen" only
// shows orders), so only the forms in the lists count.
var promises = lang.Exactly(lang.Destroys, lang.Sends, lang.Writes, lang.Reads, lang.Never, lang.Leaves)

var promised = map[lang.Concept]Class{lang.Destroys: Destroys, lang.Sends: Sends, lang.Writes: Writes, lang.Reads: Reads, lang.Never: Reads,
	lang.Leaves: Writes}

// entry is a phrase in a control's words.
type entry struct {
	lang.Hit
	class         Class
	leaves, never bool
}

func entryOf(h lang.Hit) entry {
	return entry{h, promised[h.Concept], h.Concept == lang.Leaves, h.Concept == lang.Never}
}

// said is a listed phrase that the text contains: what it promises, and whether it ends the session.
type said struct {
	class  Class
	leaves bool
}
