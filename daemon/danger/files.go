package danger

import (
	"strings"

	"showhow/internal/lazyre"
	"showhow/internal/plain"
)

type exists = func(string) bool

// sedActs matches a sed script that writes files (w) or runs commands (e).
var sedActs = lazyre.New(`(?:^|[;}{\n])\s*(?:[\d$,~+!/]|\\.)*\s*[wWe](?:\s|$)|/[gpiIM\d]*[ew][gpiIM\d]*(?:\s|$)`)

func sed(name string, args call, _ input, _ exists) Finding {
	out := looks(name)
	if args.has("-i", "--in-place") || strings.HasPrefix(firstWith(args, "-i"), "-i") {
		out = changes(name)
	}
	for _, w := range args {
		if w.text != "" && w.text[0] != '-' && sedActs.MatchString(w.text) {
			return out.and(finding(Unknown, name+" can write files and run programs"))
		}
	}
	return out
}

func firstWith(args call, prefix string) string {
	for _, w := range args {
		if strings.HasPrefix(w.text, prefix) {
			return w.text
		}
	}
	return ""
}

// awkActs matches an awk program that writes or runs: a redirection of print, a pipe to or from a program, system().
var awkActs = lazyre.New(`system\s*\(|print[^;}\n]*[^\d\s&|<>=!~$)]\s*(?:>>?|\|)\s*["\w$]|\|\s*getline|\|&`)

func awk(name string, args call, _ input, _ exists) Finding {
	if args.has("-f", "--file") {
		return finding(Unknown, "what a program given to "+name+" does is not known")
	}
	out := looks(name)
	for _, w := range args {
		switch {
		case strings.HasPrefix(w.text, "-i"):
			out = out.and(changes(name))
		case strings.Contains(w.text, "system(") || awkActs.MatchString(w.text):
			out = out.and(finding(Unknown, name+" can write files and run programs"))
		}
	}
	return out
}

func sorts(name string, args call, _ input, _ exists) Finding {
	if args.has("-o", "--output") {
		return changes(name)
	}
	return looks(name)
}

func uniq(name string, args call, _ input, _ exists) Finding {
	if len(args.operands("-f -s -w")) > 1 {
		return changes(name)
	}
	return looks(name)
}

func outFlag(name string, args call, _ input, _ exists) Finding {
	if args.has("-o", "--output") {
		return changes(name)
	}
	return looks(name)
}

func tree(name string, args call, _ input, _ exists) Finding {
	if args.has("-o") {
		return changes(name)
	}
	return looks(name)
}

func inPlace(name string, args call, _ input, _ exists) Finding {
	if args.has("-i", "--inplace", "--in-place") {
		return changes(name)
	}
	return looks(name)
}

func exiftool(name string, args call, _ input, _ exists) Finding {
	for _, w := range args {
		if strings.HasPrefix(w.text, "-") && strings.Contains(w.text, "=") {
			return changes(name)
		}
	}
	return looks(name)
}

func dates(name string, args call, _ input, _ exists) Finding {
	if args.has("-s", "--set") {
		return finding(Escalates, "date sets the machine's clock")
	}
	return looks(name)
}

func hostname(name string, args call, _ input, _ exists) Finding {
	if len(args.operands("")) > 0 {
		return finding(Escalates, "hostname names the machine")
	}
	return looks(name)
}

func dmesg(name string, args call, _ input, _ exists) Finding {
	if args.has("-C", "-c", "--clear", "--read-clear") {
		return finding(Destroys, "dmesg clears the kernel's messages")
	}
	return looks(name)
}

func journalctl(name string, args call, _ input, _ exists) Finding {
	if args.has("--vacuum-time", "--vacuum-size", "--vacuum-files") {
		return finding(Destroys, "journalctl deletes logs")
	}
	if args.has("--rotate", "--flush") {
		return finding(Escalates, "journalctl changes the machine's logs")
	}
	return looks(name)
}

func history(name string, args call, _ input, _ exists) Finding {
	if args.has("-c", "-d") {
		return finding(Destroys, "history deletes what was typed")
	}
	return looks(name)
}

func xxd(name string, args call, _ input, _ exists) Finding {
	if len(args.operands("-c -g -l -s -o")) > 1 {
		return changes(name)
	}
	return looks(name)
}

func dd(name string, args call, _ input, known exists) Finding {
	for _, w := range args {
		out, ok := strings.CutPrefix(w.text, "of=")
		switch {
		case !ok || harmlessDevice(word{text: out, known: w.known}):
		case strings.HasPrefix(out, "/dev/") || !w.known:
			return finding(Destroys, "dd overwrites a device")
		case known(out):
			return finding(Destroys, "dd writes over a file that exists")
		default:
			return finding(Writes, "dd writes a file")
		}
	}
	return looks(name)
}

// copies judges cp and mv: an existing file is lost.
func copies(name string, args call, _ input, known exists) Finding {
	ops := args.operands("-t --target-directory -S --suffix")
	if len(ops) == 0 {
		return finding(Unknown, name+" lacks its files")
	}
	to := ops[len(ops)-1]
	switch {
	case ops.first(0) == "/dev/null":
		return finding(Destroys, name+" empties a file")
	case strings.HasPrefix(to.text, "/dev/") && !strings.HasPrefix(to.text, "/dev/shm/"):
		return finding(Destroys, name+" overwrites a device")
	case systemPath(to.text):
		return finding(Escalates, name+" changes the system's own files")
	case !args.has("-n", "--no-clobber", "-b", "--backup") && len(ops) == 2 && to.known && !strings.HasSuffix(to.text, "/") && known(to.text):
		return finding(Destroys, name+" writes over a file that exists")
	}
	return changes(name)
}

func tee(name string, args call, _ input, known exists) Finding {
	out := looks(name)
	for _, w := range args.operands("") {
		switch {
		case harmlessDevice(w):
		case strings.HasPrefix(w.text, "/dev/"):
			out = out.and(finding(Destroys, "tee overwrites a device"))
		case systemPath(w.text):
			out = out.and(finding(Escalates, "tee writes into the system's own files"))
		case w.known && !args.has("-a", "--append") && known(w.text):
			out = out.and(finding(Destroys, "tee writes over a file that exists"))
		default:
			out = out.and(finding(Writes, "tee writes a file"))
		}
	}
	return out
}

func tar(name string, args call, _ input, _ exists) Finding {
	mode := ""
	if len(args) > 0 {
		mode = strings.TrimLeft(args[0].text, "-")
	}
	switch {
	case args.has("--to-command", "--checkpoint-action", "--use-compress-program", "--rsh-command", "--info-script") || args.has("-I"):
		return finding(Unknown, "tar runs another program")
	case args.has("--remove-files", "--delete"):
		return finding(Destroys, "tar removes files")
	case args.has("-t", "--list") || len(args) > 0 && !strings.HasPrefix(args[0].text, "--") && strings.Contains(mode, "t") &&
		!strings.ContainsAny(mode, "xcru"):
		return looks(name)
	}
	return changes(name)
}

func unzip(name string, args call, _ input, _ exists) Finding {
	if args.has("-l", "-v", "-t", "-Z", "-p") {
		return looks(name)
	}
	return changes(name)
}

func zip(name string, args call, _ input, _ exists) Finding {
	if args.has("-m", "--move", "-d", "--delete") {
		return finding(Destroys, "zip removes files")
	}
	if args.has("-TT", "--unzip-command") {
		return finding(Unknown, "zip runs another program")
	}
	return changes(name)
}

func rm(name string, args call, _ input, _ exists) Finding {
	if args.has("-r", "-R", "--recursive") {
		return finding(Destroys, "rm deletes folders with everything in them")
	}
	return finding(Destroys, "rm deletes files")
}

func gio(name string, args call, _ input, _ exists) Finding {
	switch args.operands("").first(0) {
	case "remove":
		return finding(Destroys, "gio deletes files")
	case "info", "list", "cat", "tree", "monitor", "version", "help":
		return looks(name)
	case "trash", "copy", "move", "mkdir", "rename", "save":
		return changes(name)
	}
	return finding(Unknown, "what gio opens is not known")
}

func chmod(name string, args call, _ input, _ exists) Finding {
	mode := args.operands("").first(0)
	if strings.Contains(mode, "s") || len(mode) == 4 && mode[0] >= '2' && mode[0] <= '7' {
		return finding(Escalates, "chmod lets a program run with its owner's rights")
	}
	return changes(name)
}

func chown(name string, args call, _ input, _ exists) Finding {
	return finding(Escalates, "chown gives files to another account")
}

func chage(name string, args call, _ input, _ exists) Finding {
	if args.has("-l") {
		return looks(name)
	}
	return finding(Escalates, escalators[name])
}

func crontab(name string, args call, _ input, _ exists) Finding {
	switch {
	case args.has("-r"):
		return finding(Destroys, "crontab -r deletes what was planned")
	case args.has("-l"):
		return looks(name)
	}
	return finding(Escalates, "crontab changes what runs by itself")
}

func kill(name string, args call, _ input, _ exists) Finding {
	if len(args) > 0 && (args[0].text == "-l" || args[0].text == "-L" || args[0].text == "-0") {
		return looks(name)
	}
	return finding(Destroys, gone[name])
}

func fuser(name string, args call, _ input, _ exists) Finding {
	if args.has("-k", "--kill") {
		return finding(Destroys, gone[name])
	}
	return looks(name)
}

// fdisk and the like only look when told to list.
func fdisk(name string, args call, _ input, _ exists) Finding {
	if args.has("-l", "--list", "-I") || args.index("print") >= 0 {
		return looks(name)
	}
	return finding(Destroys, gone[name])
}

func cryptsetup(name string, args call, _ input, _ exists) Finding {
	switch args.operands("").first(0) {
	case "status", "luksDump", "isLuks", "luksUUID", "benchmark":
		return looks(name)
	case "open", "luksOpen", "close", "luksClose":
		return finding(Escalates, "cryptsetup changes the machine's devices")
	}
	return finding(Destroys, gone[name])
}

// bare programs only display something when given no arguments.
func bare(name string, args call, _ input, _ exists) Finding {
	if len(args.operands("")) == 0 && !args.has("-a") || args.has("-l") || args.has("-s", "--show") {
		return looks(name)
	}
	return finding(Escalates, escalators[name])
}

func ip(name string, args call, _ input, _ exists) Finding {
	for _, w := range args.operands("-n -netns") {
		switch w.text {
		case "add", "del", "delete", "set", "change", "replace", "flush", "append", "restore", "exec", "up", "down":
			return finding(Escalates, "ip changes the network")
		}
	}
	return looks(name)
}

func sysctl(name string, args call, _ input, _ exists) Finding {
	if args.has("-w", "--write", "-p", "--load", "--system") || strings.Contains(joined(args), "=") {
		return finding(Escalates, "sysctl changes the kernel")
	}
	return looks(name)
}

func joined(args call) string {
	var b strings.Builder
	for _, w := range args {
		b.WriteString(w.text)
		b.WriteByte(' ')
	}
	return b.String()
}

var readingWords = plain.Set("read get list show status ls print dump help info domains read-type list-keys list-recursively " +
	"list-schemas describe range writable monitor numbered verbose display query config connection device general radio")

// readWord: the first word decides whether settings are read.
func readWord(name string, args call, _ input, _ exists) Finding {
	ops := args.operands("-f -g -t")
	for i, w := range ops {
		if plain.Set("add delete del set write reset modify edit up down connect disconnect on off remove flush enable disable allow deny auto " +
			"install rename import")[w.text] {
			return finding(Escalates, escalators[name])
		}
		if i == 0 && !readingWords[w.text] {
			return finding(Escalates, escalators[name])
		}
	}
	if len(ops) == 0 && !args.has("--display", "--list", "--query") {
		return finding(Escalates, escalators[name])
	}
	return looks(name)
}

func listFlag(name string, args call, _ input, _ exists) Finding {
	if args.has("-L", "-S", "--list", "--list-rules") && !args.has("-A", "-D", "-I", "-F") {
		return looks(name)
	}
	return finding(Escalates, escalators[name])
}

func serviceStatus(name string, args call, _ input, _ exists) Finding {
	if args.has("--status-all") || args.operands("").first(1) == "status" {
		return looks(name)
	}
	return finding(Escalates, escalators[name])
}

func gpg(name string, args call, _ input, _ exists) Finding {
	for _, w := range args {
		switch {
		case strings.HasPrefix(w.text, "--delete"):
			return finding(Destroys, "gpg deletes keys")
		case w.text == "--send-keys":
			return finding(Sends, "gpg publishes a key")
		case w.text == "-k", w.text == "-K", strings.HasPrefix(w.text, "--list"), w.text == "--verify", w.text == "--fingerprint":
			return looks(name)
		}
	}
	return changes(name)
}

func openssl(name string, args call, _ input, _ exists) Finding {
	switch args.first(0) {
	case "s_client", "s_server", "s_time", "ocsp":
		return finding(Sends, "openssl talks to another machine")
	}
	if args.has("-out", "--out") || args.index("-out") >= 0 || args.index("-keyout") >= 0 {
		return changes(name)
	}
	return looks(name)
}
