package danger

import (
	"showhow/internal/lazyre"
	"strings"
)

var remotePath = lazyre.New(`^(?:[\w.-]+@)?[\w.-]+::?[^/\\]|^(?:[\w.-]+@)?[\w.-]+:{1,2}(?:/|~|$)|^\w+://`)

// remote reports whether a word is host:path, as rsync and scp read it; an expansion before a colon can be one.
func remote(w word) bool {
	return remotePath.MatchString(w.text) || !w.known && strings.Contains(w.text, ":")
}

func rsync(name string, args call, _ input, _ exists) Finding {
	ops := args.operands("-e -f --rsh --exclude --include --files-from --filter --bwlimit --port --log-file --rsync-path --chmod " +
		"--backup-dir --compare-dest --link-dest --max-size --min-size --timeout --out-format --exclude-from --include-from --partial-dir -T " +
		"-B -M")
	out := changes(name)
	for _, w := range args {
		switch {
		case w.text == "--remove-source-files" || strings.HasPrefix(w.text, "--delete") || w.text == "--del":
			out = out.and(finding(Destroys, "rsync deletes files that the other side does not have"))
		case w.text == "--daemon":
			out = out.and(finding(Sends, "rsync serves files to others"))
		}
	}
	if len(ops) > 1 && remote(ops[len(ops)-1]) {
		out = out.and(finding(Sends, "rsync copies files to another machine"))
	}
	if args.has("-n", "--dry-run", "--list-only") {
		return looks(name)
	}
	return out
}

func rclone(name string, args call, _ input, _ exists) Finding {
	ops := args.operands("--config --transfers --checkers --bwlimit --include --exclude --filter")
	switch ops.first(0) {
	case "ls", "lsl", "lsd", "lsf", "lsjson", "size", "check", "cat", "about", "listremotes", "tree", "version", "md5sum", "sha1sum",
		"cryptcheck", "help":
		return looks(name)
	case "delete", "purge", "deletefile", "rmdir", "rmdirs", "cleanup", "sync", "move", "moveto", "dedupe", "bisync":
		if args.has("--dry-run", "-n") {
			return looks(name)
		}
		return finding(Destroys, "rclone deletes files").and(finding(Sends, "rclone changes files elsewhere"))
	case "copy", "copyto":
		if len(ops) > 2 && !remote(ops[2]) && ops[2].known {
			return changes(name)
		}
	}
	return finding(Sends, "rclone changes files elsewhere")
}

func scp(name string, args call, _ input, _ exists) Finding {
	ops := args.operands("-c -D -F -i -J -l -o -P -S -X")
	if len(ops) > 1 && remote(ops[len(ops)-1]) {
		return finding(Sends, name+" copies files to another machine")
	}
	return changes(name)
}

func curl(name string, args call, _ input, _ exists) Finding {
	method, data, sends := "", "", false
	for _, f := range []string{"-d", "--data", "--data-raw", "--data-binary", "--data-urlencode", "--data-ascii", "--json", "-F", "--form",
		"--form-string", "--url-query"} {
		if v, ok := args.value(f); ok && f != "--url-query" {
			sends = true
			data += v + "&"
		}
	}
	switch {
	case args.has("-T", "--upload-file"):
		method = "PUT"
	case args.has("-I", "--head"):
		method = "HEAD"
	case sends && !args.has("-G", "--get"):
		method = "POST"
	default:
		method = "GET"
	}
	if m, ok := args.value("-X", "--request"); ok {
		method = m
	}
	if args.has("-K", "--config") {
		return finding(Unknown, "what curl reads from a file is not known")
	}
	if args.has("-Q", "--quote", "--mail-from", "--mail-rcpt") {
		return finding(Sends, "curl sends a message or a command")
	}
	ops := args.operands("-X --request -d --data --data-raw --data-binary --data-urlencode --data-ascii --json -F --form --form-string -H " +
		"--header -o --output -u --user -A --user-agent -e --referer -b --cookie -c --cookie-jar -m --max-time -w --write-out -x --proxy -E " +
		"--cert --key --cacert -T --upload-file --connect-timeout --retry -r --range --resolve --limit-rate -D --dump-header -C --max-redirs " +
		"--url-query --unix-socket --interface --retry-delay")
	out := finding(Reads, "curl fetches something")
	if args.has("-o", "--output", "-O", "--remote-name", "-J", "-c", "--cookie-jar", "-D", "--dump-header") {
		out = finding(Writes, "curl saves what it fetches")
	}
	if _, ok := args.value("--url"); ok {
		ops = append(ops, word{})
	}
	for _, u := range ops {
		out = out.and(overNetwork(name, strings.ToUpper(method), u, data))
	}
	if len(ops) == 0 {
		out = out.and(overNetwork(name, strings.ToUpper(method), word{}, data))
	}
	return out
}

// overNetwork judges a request that a command makes: whatever changes something elsewhere reaches others.
func overNetwork(name, method string, u word, data string) Finding {
	f := Request(method, u.text, []byte(data), "")
	switch {
	case f.Class == Writes || f.Class == Unknown && method != "GET":
		return finding(Sends, name+" sends data to another machine")
	case f.Has(Destroys):
		return finding(Destroys, name+" asks another machine to delete something").and(finding(Sends, ""))
	}
	return f
}

func wget(name string, args call, _ input, _ exists) Finding {
	method := "GET"
	if args.has("--post-data", "--post-file", "--body-data", "--body-file") {
		method = "POST"
	}
	if m, ok := args.value("--method"); ok {
		method = strings.ToUpper(m)
	}
	out := finding(Writes, "wget saves what it fetches")
	if o, _ := args.value("-O", "--output-document"); o == "-" || o == "/dev/null" || args.has("--spider") || args.has("-qO-") ||
		firstWith(args, "-qO-") != "" {
		out = finding(Reads, "wget fetches something")
	}
	for _, u := range args.operands(
		"-O -o -P -a -e -U -t -T -w --output-document --header --user --password --post-data --method --body-data") {
		out = out.and(overNetwork(name, method, u, ""))
	}
	return out
}

// httpie takes the method as a word, and a request with fields is a POST.
func httpie(name string, args call, _ input, _ exists) Finding {
	ops := args.operands("-a --auth -o --output -A --auth-type --session -p --print --timeout --proxy")
	method := "GET"
	if m := ops.first(0); m != "" && m == strings.ToUpper(m) && strings.Trim(m, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
		method, ops = m, ops[1:]
	} else if len(ops) > 1 {
		for _, w := range ops[1:] {
			if strings.Contains(w.text, "=") && !strings.Contains(w.text, "==") || strings.Contains(w.text, "@") {
				method = "POST"
			}
		}
	}
	out := finding(Reads, name+" fetches something")
	if len(ops) > 0 {
		out = out.and(overNetwork(name, method, ops[0], ""))
	}
	return out
}
