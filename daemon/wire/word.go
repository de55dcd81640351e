package wire

// WordDocument is what a Word document says. Texts are those of the document with all tracked changes accepted.
type WordDocument struct {
	Paragraphs []WordParagraph `json:"paragraphs"`
	Tables     []WordTable     `json:"tables"`
	Comments   []WordComment   `json:"comments"`
	Changes    []WordChange    `json:"changes" doc:"tracked changes that nobody accepted or rejected"`
	Fields     []string        `json:"fields" doc:"names of placeholders and content controls that a template has"`
	Warnings   []string        `json:"warnings"`
	Truncated  bool            `json:"truncated,omitempty" doc:"paragraphs after the last one were left out"`
}

// WordParagraph is a paragraph.
type WordParagraph struct {
	At     string `json:"at" doc:"the part and the number in it: body/12, header1/1, footnotes/3"`
	Text   string `json:"text"`
	Style  string `json:"style,omitempty"`
	Level  int    `json:"level,omitempty" doc:"of a heading, from 1"`
	List   int    `json:"list,omitempty" doc:"depth in a list, from 1"`
	Table  int    `json:"table,omitempty" doc:"the table it is in, from 1"`
	Row    int    `json:"row,omitempty"`
	Column int    `json:"column,omitempty"`
	Hidden bool   `json:"hidden,omitempty" doc:"some of the text is not shown to readers"`
}

// WordTable is a table: its cells' texts, row by row.
type WordTable struct {
	Number int        `json:"number"`
	Part   string     `json:"part"`
	Rows   [][]string `json:"rows"`
}

// WordComment is a comment.
type WordComment struct {
	ID     string `json:"id"`
	Author string `json:"author,omitempty"`
	Date   string `json:"date,omitempty"`
	Text   string `json:"text"`
	At     string `json:"at,omitempty"`
	Quote  string `json:"quote,omitempty" doc:"the text that it is about"`
}

// WordChange is a tracked change.
type WordChange struct {
	ID     string `json:"id" doc:"its number in this document as it is now"`
	Kind   string `json:"kind" enum:"insertion,deletion,moved_from,moved_to,paragraph_inserted,paragraph_deleted,row_inserted,row_deleted,cell_inserted,cell_deleted,cell_merged,format"`
	Author string `json:"author,omitempty"`
	Date   string `json:"date,omitempty"`
	Text   string `json:"text,omitempty"`
	At     string `json:"at,omitempty"`
}

// WordMatch is a place where a text occurs.
type WordMatch struct {
	At     string `json:"at"`
	Number int    `json:"number" doc:"of the match in the document, from 1"`
	Before string `json:"before"`
	Text   string `json:"text"`
	After  string `json:"after"`
}

// WordEdited says what was changed in the copy.
type WordEdited struct {
	Changed  int      `json:"changed" doc:"places that were changed"`
	Left     []string `json:"left" doc:"what was found and could not be changed, with the reason"`
	Warnings []string `json:"warnings"`
}

// WordDifference is a difference between two versions.
type WordDifference struct {
	Kind string `json:"kind" enum:"inserted,deleted,changed,table"`
	At   string `json:"at,omitempty" doc:"in the first version; of what is inserted, the paragraph before it"`
	Was  string `json:"was,omitempty"`
	Is   string `json:"is,omitempty"`
}

// WordCompared is what two versions differ in.
type WordCompared struct {
	Differences []WordDifference `json:"differences"`
	Left        []string         `json:"left" doc:"what differs and is no tracked change in the copy"`
}
