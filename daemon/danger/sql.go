package danger

import (
	"slices"
	"strings"

	"showhow/internal/lazyre"
	"showhow/internal/plain"
)

// sqlClient judges the statements that a line gives to a database client; what the client reads from elsewhere is
// unknown.
func sqlClient(name string, args call, in input, _ exists) Finding {
	var out Finding
	texts := 0
	for i, w := range args {
		text, known := "", w.known
		switch {
		case (w.text == "-c" || w.text == "-e" || w.text == "-q" || w.text == "-Q" || w.text == "-cmd" || w.text == "--command" ||
			w.text == "--execute" || w.text == "--query") && i+1 < len(args):
			text, known = args[i+1].text, args[i+1].known
		case strings.HasPrefix(w.text, "--command="), strings.HasPrefix(w.text, "--execute="), strings.HasPrefix(w.text, "--query="):
			_, text, _ = strings.Cut(w.text, "=")
		case strings.HasPrefix(w.text, "-e") && len(w.text) > 2 && strings.Contains(w.text, " "), strings.HasPrefix(w.text, "-c") &&
			strings.Contains(w.text, " "):
			text = w.text[2:]
		case w.text == "-l" || w.text == "--list" || w.text == "-V":
			texts++
			out = out.and(looks(name))
			continue
		default:
			continue
		}
		texts++
		out = out.and(statements(text, known))
	}
	if (name == "sqlite3" || name == "duckdb" || name == "litecli") && texts == 0 || texts == 0 && name == "sqlite3" {
		if ops := args.operands("-cmd -separator -newline -nullvalue -init -c -s"); len(ops) > 1 {
			for _, o := range ops[1:] {
				texts++
				out = out.and(statements(o.text, o.known))
			}
		}
	}
	if in.known || in.text != "" {
		texts++
		out = out.and(statements(in.text, in.known))
	}
	if texts == 0 || args.has("-f", "--file") {
		out = out.and(finding(Unknown, "what "+name+" is told to do is not known"))
	}
	return out
}

var (
	sqlNoise  = lazyre.New(`(?s)--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'|"(?:[^"])*"|` + "`[^`]*`")
	sqlWord   = lazyre.New(`[a-z_]+`)
	sqlDanger = lazyre.New(`\b(?:pg_(?:terminate|cancel|read|ls|file|reload|rotate|drop|promote|switch|logical)\w*|lo_\w+|dblink\w*|` +
		`nextval|setval|load_file|load_extension|writefile|edit|sys_exec|sys_eval|xp_\w+|sp_\w+|http_\w+|copy|into\s+(?:out|` +
		`dump)file)\s*(?:\(|\b)`)
)

// statements judges SQL, statement by statement. Quoted text is data.
func statements(text string, known bool) Finding {
	var out Finding
	if !known {
		out = finding(Unknown, "a part of the statement is only known when it runs")
	}
	for _, line := range strings.Split(text, "\n") {
		if t := strings.TrimSpace(line); strings.HasPrefix(t, `\`) || strings.HasPrefix(t, ".") {
			out = out.and(meta(t))
		}
	}
	clean := strings.ToLower(sqlNoise.ReplaceAllString(text, " x "))
	for _, st := range strings.Split(clean, ";") {
		if t := strings.TrimSpace(st); t != "" && t[0] != '\\' && t[0] != '.' {
			out = out.and(statement(t))
		}
	}
	if out.all == 0 {
		return finding(Reads, "no statement")
	}
	return out
}

// meta judges a client's own command: \dt, .tables.
func meta(t string) Finding {
	name := strings.ToLower(strings.Fields(t)[0])
	switch {
	case strings.HasPrefix(name, `\d`), strings.HasPrefix(name, `\l`), slices.Contains(strings.Fields(`.tables .schema .headers .header `+
		`.mode .databases .indexes .show .help .width .separator .quit .exit .dump .timer .nullvalue .columns \x \q \timing \pset \conninfo `+
		`\z \sf \sv \? \h \a \t \encoding \echo`), name):
		return finding(Reads, "the client shows something")
	}
	return finding(Unknown, "what the client's own command does is not known")
}

func statement(t string) Finding {
	words := sqlWord.FindAllString(t, -1)
	if len(words) == 0 {
		return finding(Reads, "no statement")
	}
	has := func(w string) bool { return slices.Contains(words, w) }
	switch first := words[0]; {
	case first == "drop", first == "truncate", first == "delete", has("delete") &&
		first == "with", first == "purge", first == "flush", first == "kill":
		return finding(Destroys, "the statement deletes data")
	case first == "alter" && has("drop"):
		return finding(Destroys, "the statement deletes data")
	case first == "update" && !has("where"):
		return finding(Destroys, "the statement changes every row")
	case first == "grant", first == "revoke", first == "set" && has("role"), (first == "create" || first == "alter") &&
		(has("user") || has("role")):
		return finding(Escalates, "the statement changes rights")
	case (first == "copy" || first == "load" || first == "call" || first == "do" || first == "execute" || first == "exec") ||
		sqlDanger.MatchString(t):
		return finding(Unknown, "what the statement runs is not known")
	case has("insert"), has("update") && first != "select", has("replace") && first == "replace", has("merge") && first == "merge":
		return finding(Writes, "the statement changes data")
	case slices.Contains(strings.Fields("create alter attach detach vacuum reindex analyze optimize comment rename pragma"), first):
		if first == "pragma" && !strings.Contains(t, "=") {
			return finding(Reads, "the statement looks")
		}
		return finding(Writes, "the statement changes the database")
	case first == "select" && has("into"):
		return finding(Writes, "the statement makes a table")
	case first == "explain" && has("analyze"):
		return statement(strings.Join(words[slices.Index(words, "analyze")+1:], " "))
	case slices.Contains(strings.Fields("select with show explain describe desc values table use begin commit end rollback start set"), first):
		return finding(Reads, "the statement looks")
	}
	return finding(Unknown, "what the statement does is not known")
}

var (
	redisReads = plain.Set("get mget keys scan info ping exists ttl pttl type strlen llen lrange lindex smembers scard sismember hget " +
		"hgetall hkeys hvals hlen hmget zrange zcard zscore zrangebyscore dbsize time monitor memory object randomkey getrange bitcount " +
		"xrange xlen xinfo echo command role lastsave slowlog latency")
	redisGone = plain.Set("flushall flushdb del unlink shutdown hdel srem zrem lrem ltrim xdel xtrim getdel spop lpop rpop debug swapdb")
)

func redis(name string, args call, in input, _ exists) Finding {
	ops := args.operands("-h -p -a -n -u -s --user --pass -r -i")
	verb := strings.ToLower(ops.first(0))
	switch {
	case verb == "" || in.known:
		return finding(Unknown, "what "+name+" is told to do is not known")
	case redisReads[verb]:
		return looks(name)
	case redisGone[verb]:
		return finding(Destroys, name+" deletes data")
	case verb == "publish":
		return finding(Sends, name+" sends a message")
	case verb == "eval", verb == "evalsha", verb == "fcall", verb == "module", verb == "script":
		return finding(Unknown, "what a script does is not known")
	case verb == "config" && strings.EqualFold(ops.first(1), "get"):
		return looks(name)
	}
	return finding(Writes, name+" changes data")
}

var mongoGone = lazyre.New(`(?i)\b(?:drop\w*|delete\w*|remove\w*|findOneAndDelete|shutdownServer)\s*\(`)

func mongo(name string, args call, in input, _ exists) Finding {
	text, ok := args.value("--eval")
	if in.known {
		text, ok = text+in.text, true
	}
	if ok && mongoGone.MatchString(text) {
		return finding(Destroys, name+" deletes data")
	}
	return finding(Unknown, "what "+name+" is told to do is not known")
}
