package workflow

// ToldInWords reports whether only words say when a step is needed, so that no machine can judge it.
func (s Step) ToldInWords() bool { return s.Condition != "" && s.When == nil && !s.ManyBoxes() }

// ForAPerson reports whether no machine can judge when a step is needed: only words say it, or the demonstrations disagree about it and
// nobody said anything.
func (s Step) ForAPerson() bool { return s.ByPerson || s.ToldInWords() }
