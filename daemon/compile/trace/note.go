package trace

// Note is something to tell the person (left out) or the agent (recovery). args are texts of the trace: they are
// generalised before they are put into the format.
type Note struct {
	Format string
	Args   []string
}

func say(format string, args ...string) Note { return Note{Format: format, Args: args} }
