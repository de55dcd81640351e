package compile

import "showhow/capture"

// WordsOf lists the words of a command line that are plain text: those among them that name files are no options and programs.
func WordsOf(line string) (out []string) {
	for _, w := range readLine(&capture.Command{Line: line}).words {
		if w.text != "" && !w.part {
			out = append(out, w.text)
		}
	}
	return out
}

// ScriptsOf lists the programs of a command line that it names by where they are: ./report.sh.
func ScriptsOf(line string) (out []string) {
	for _, c := range readLine(&capture.Command{Line: line}).calls {
		if c.path != c.program {
			out = append(out, c.path)
		}
	}
	return out
}

// ProgramsOf lists the programs that a command line runs, as far as it names them.
func ProgramsOf(line string) []string { return readLine(&capture.Command{Line: line}).programs }
