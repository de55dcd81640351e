package workflow

// ToldInWords reports whether only prose says when a step is needed, so that no machine can decide it.
func (s Step) ToldInWords() bool { return s.Condition != "" && s.When == nil && !s.ManyBoxes() }

// ForAPerson reports whether a person must decide when a step is needed: only prose says it, or the demonstrations
// disagree and nobody has explained why.
func (s Step) ForAPerson() bool { return s.ByPerson || s.ToldInWords() }
