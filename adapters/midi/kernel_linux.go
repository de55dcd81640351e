package midi

// kernelSources are the sources that need no library.
func kernelSources() []source {
	return append([]source{&sequencer{dev: "/dev/snd"}}, rawSources("/")...)
}
