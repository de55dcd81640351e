package ability

// Probe makes the service stop at a named point: fn's error is that point's error.
func Probe(s *Service, fn func(point string) error) { s.reg.probe = fn }

// StepNames are the saga's steps in order.
func StepNames(s *Service) []string {
	var out []string
	for _, st := range s.Installer.steps() {
		out = append(out, st.name)
	}
	return out
}

var Words = words

// Many sets how many abilities are too many to look at for every lookup.
func Many(n int) (restore func()) {
	before := manyAbilities
	manyAbilities = n
	return func() { manyAbilities = before }
}
