package source

import "showhow/internal/lazyre"

// computedImport is a file of code that is loaded by a name which is put together while the program runs: a variable, pieces, a template.
var computedImport = lazyre.Sparse("\\b(?:import_module|__import__|require(?:_relative)?|import|load_source|SourceFileLoader|" +
	"spec_from_file_location|run_path|run_module|include(?:_once)?|require_once|load|dofile)\\s*\\(\\s*" +
	"(?:[A-Za-z_$@(][^)\\n]*\\)|[\"'][^\"'\\n]*[\"']\\s*(?:[+%.,]|\\|\\|)|[fF][\"']|`[^`\\n]*\\$\\{)" +
	"|\\bimport\\s*\\(\\s*`|(?m:^\\s*(?:source|\\.)\\s+[\"']?[^\\s\"']*\\$)")

// ImportsComputed reports whether the file loads others by names that are put together, so that it can mean any file of its bundle.
func (f *File) ImportsComputed() bool {
	if f.computes == 0 {
		f.computes = -1
		if f.Kind != Markdown && computedImport.MatchString(f.Text) {
			f.computes = 1
		}
	}
	return f.computes > 0
}
