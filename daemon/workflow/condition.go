package workflow

// ToldInWords reports whether only words say when a step is needed, so that no machine can judge it.
func (s Step) ToldInWords() bool { return s.Condition != "" && s.When == nil && !s.ManyBoxes() }
