package files

import "testing"

// Intermediate steps of programs are not reported. Small programs are run for real, the steps of others are
// reproduced.
func TestEditorsAreFolded(t *testing.T) {
	for _, program := range []string{"git", "rsync", "vim", "ed"} {
		need(t, program, program)
	}
	tell(t, map[string]example{
		"vim": {"echo one >a.txt",
			`vim -u NONE -N -es -c 'set swapfile backup writebackup backupdir=. directory=.' -c '%s/one/two/' -c wq a.txt </dev/null`,
			[]string{"changed reports/a.txt"}},
		"vim, backup by rename": {"echo one >a.txt",
			`vim -u NONE -N -es -c 'set backupcopy=no backup backupdir=.' -c '%s/one/two/' -c wq a.txt </dev/null`,
			[]string{"changed reports/a.txt"}},
		"vim, a new file": {"", `vim -u NONE -N -es -c 'normal ihello' -c wq new.txt </dev/null`, []string{"created reports/new.txt"}},
		"ed":              {"echo one >a.txt", `printf '%s\n' 's/one/two/' w q | ed -s a.txt`, []string{"changed reports/a.txt"}},
		"sed -i":          {"echo one >a.txt", "sed -i s/one/two/ a.txt", []string{"changed reports/a.txt"}},
		"sed -i.bak":      {"echo one >a.txt", "sed -i.bak s/one/two/ a.txt", []string{"changed reports/a.txt", "created reports/a.txt.bak"}},
		"git": {
			"git init -q; echo 1 >a; git add a; git commit -qm one; git checkout -qb other; echo 2 >b; echo 3 >>a; git add .; git commit -qm two",
			"git checkout -q -; git status >/dev/null", []string{"changed reports/a", "removed reports/b"}},
		"rsync": {"mkdir ../src; echo 1 >../src/a; echo 2 >../src/b; echo old >a", "rsync -r ../src/ .",
			[]string{"changed reports/a", "created reports/b"}},
		"tar": {"mkdir ../src; echo 1 >../src/a; echo 2 >../src/b; tar -C ../src -cf ../x.tar a b", "tar xf ../x.tar",
			[]string{"created reports/a", "created reports/b"}},
		"LibreOffice": {"echo 1 >a.ods", "echo me >.~lock.a.ods#; echo 2 >lu12ab3c.tmp; mv lu12ab3c.tmp a.ods; rm .~lock.a.ods#",
			[]string{"changed reports/a.ods"}},
		"emacs": {"echo 1 >a", "ln -s me@host.1 .#a; echo 2 >'#a#'; mv a a~; echo 2 >a; rm '#a#' .#a",
			[]string{"changed reports/a"}},
		"gedit":              {"echo 1 >a", "echo 2 >.goutputstream-XY12Z3; mv .goutputstream-XY12Z3 a", []string{"changed reports/a"}},
		"atomic, a new file": {"", "echo 2 >a.csv.tmp; mv a.csv.tmp a.csv", []string{"created reports/a.csv"}},
		"atomic, slow":       {"echo 1 >a.csv", "echo 2 >a.csv.tmp\nthen\nmv a.csv.tmp a.csv", []string{"changed reports/a.csv"}},
		"Chromium's download": {
			"", "echo 1 >'Unconfirmed 12.crdownload'\nthen\necho 2 >>'Unconfirmed 12.crdownload'; mv 'Unconfirmed 12.crdownload' r.csv",
			[]string{"created reports/r.csv"}},
		"Firefox's download": {"", ": >r.csv; echo 1 >r.csv.x8d.part\nthen\nmv r.csv.x8d.part r.csv", []string{"created reports/r.csv"}},
		"only a lock":        {"", "echo me >.~lock.a.ods#\nthen\nrm .~lock.a.ods#", nil},
		"kept as a backup":   {"echo 1 >a", "mv a a~", []string{"removed reports/a"}},
	})
}

func TestNames(t *testing.T) {
	for name, temporary := range map[string]bool{
		"4913": true, ".a.txt.swp": true, "a.txt~": true, "#a#": true, ".#a": true, ".~lock.x.odt#": true, "~$x.docx": true, "sedXy12Zq": true,
		"x.crdownload": true, "x.csv.part": true, "lu123ab.tmp": true, ".report.csv.x7Qp2k": true, ".DS_Store": true,
		".goutputstream-ABCDEF": true,
		"report.csv":            false, ".env": false, ".bashrc": false, "sedation": false, "partition": false, "49130": false,
		".config.backup": false, "a#b": false,
		"tmp": false, "download": false, ".download-list.csv": false, "x.swp.txt": false,
	} {
		if isTemporary(name) != temporary {
			t.Errorf("%q: temporary %v", name, !temporary)
		}
	}
}
