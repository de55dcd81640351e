package workflow

// ConditionInWords reports whether only prose says when a step is needed, so that no machine can decide it.
func (s Step) ConditionInWords() bool { return s.Condition != "" && s.When == nil && !s.ManyBoxes() }

// NeedsPerson reports whether a person must decide when a step is needed: only prose says it, or the demonstrations
// disagree and nobody has explained why.
func (s Step) NeedsPerson() bool { return s.ByPerson || s.ConditionInWords() }
