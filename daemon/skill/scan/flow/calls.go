package flow

import (
	"strings"

	"showhow/daemon/skill/scan/hint"
	"showhow/daemon/skill/scan/report"
	"showhow/daemon/skill/scan/source"
)

// calls of programs, by what they do to values. A name ends with one of these.
var (
	execCalls = source.Words(
		`exec eval compile execfile os.system os.popen os.popen2 os.execv os.execl os.execvp os.execlp os.execve os.spawnl ` +
			`os.spawnv os.posix_spawn os.startfile subprocess.run subprocess.call subprocess.Popen subprocess.check_output subprocess.check_call ` +
			`subprocess.getoutput subprocess.getstatusoutput
		asyncio.create_subprocess_shell asyncio.create_subprocess_exec pty.spawn commands.getoutput runpy.run_path runpy.run_module ` +
			`importlib.import_module __import__ builtins.exec builtins.eval code.interact child_process.exec child_process.execSync ` +
			`child_process.spawn child_process.spawnSync
		child_process.execFile child_process.execFileSync child_process.fork vm.runInThisContext vm.runInNewContext vm.runInContext vm.Script ` +
			`vm.compileFunction Function globalThis.eval window.eval eval.call Deno.run Deno.Command Bun.spawn Bun.spawnSync execa execaCommand ` +
			`shelljs.exec shell.exec $ system shell_exec passthru proc_open popen Kernel.system Kernel.exec IO.popen Open3.capture2 ` +
			`Open3.capture3 Open3.popen3
		instance_eval class_eval exec.Command Runtime.getRuntime Command.new assert create_function pexpect.spawn pexpect.run marshal.loads ` +
			`pickle.loads dill.loads cloudpickle.loads module._compile Module._load load loadstring dofile require import setTimeout setInterval ` +
			`types.FunctionType ctypes.CDLL ctypes.windll dlopen process.dlopen plumbum.local sh.bash invoke.run`)
	shellCalls = source.Words(`os.system os.popen subprocess.getoutput subprocess.getstatusoutput child_process.exec child_process.execSync ` +
		`execaCommand shelljs.exec shell.exec system shell_exec passthru popen Kernel.system asyncio.create_subprocess_shell ` +
		`commands.getoutput IO.popen pexpect.run os.popen2 $ exec execSync`)
	argvCalls = source.Words(
		`subprocess.run subprocess.call subprocess.Popen subprocess.check_output subprocess.check_call child_process.spawn ` +
			`child_process.spawnSync child_process.execFile child_process.execFileSync execa Bun.spawn Bun.spawnSync Deno.Command Deno.run ` +
			`exec.Command os.execvp os.execv os.execl os.execlp asyncio.create_subprocess_exec pty.spawn Open3.capture2 Open3.capture3 ` +
			`Open3.popen3 spawn spawnSync execFile execFileSync pexpect.spawn`)
	weakExec = source.Words(`compile __import__ importlib.import_module require import setTimeout setInterval load assert exec.Command ` +
		`pexpect.spawn Module._load $ ctypes.CDLL`)

	netCalls = source.Words(`requests.get requests.post requests.put requests.patch requests.delete requests.head requests.request ` +
		`requests.Session.post httpx.get httpx.post httpx.put httpx.patch httpx.request httpx.stream urllib.request.urlopen ` +
		`urllib.request.Request urllib.request.urlretrieve urllib2.urlopen urlopen Request urlretrieve urllib.urlopen aiohttp.request
		fetch axios axios.get axios.post axios.put axios.patch axios.request got got.post got.get needle needle.post superagent.post ` +
		`superagent.get ky.post ky.get ky http.request https.request http.get https.get undici.request undici.fetch node-fetch ` +
		`navigator.sendBeacon WebSocket XMLHttpRequest socket.create_connection
		net.connect net.createConnection dns.resolve dns.lookup dns.resolve4 dns.resolveTxt dns.promises.resolve dns.promises.lookup ` +
		`socket.gethostbyname socket.getaddrinfo smtplib.SMTP ftplib.FTP websocket.create_connection websockets.connect curl_exec ` +
		`file_get_contents Net.HTTP.post Net.HTTP.get Net.HTTP.post_form URI.open open-uri HTTP.post
		http.Get http.Post http.PostForm http.NewRequest LWP.UserAgent HTTPConnection HTTPSConnection http.client.HTTPSConnection ` +
		`http.client.HTTPConnection pycurl.Curl requests.sessions.Session.post nodemailer.createTransport urllib3.request treq.post`)
	netMethods = source.Words(`post put patch send sendall sendto send_message sendmail sendMail request write end upload upload_file ` +
		`upload_fileobj put_object putObject storbinary sendBeacon emit publish upload_blob create_issue createIssue create_gist sendDocument ` +
		`send_document sendMessage send_photo endheaders setRequestHeader connect resolve urlopen`)

	decodeCalls = source.Words(
		`base64.b64decode base64.b32decode base64.b85decode base64.a85decode base64.urlsafe_b64decode base64.decodebytes ` +
			`base64.standard_b64decode base64.b16decode b64decode a85decode b85decode binascii.unhexlify binascii.a2b_base64 unhexlify ` +
			`bytes.fromhex bytearray.fromhex zlib.decompress gzip.decompress lzma.decompress bz2.decompress codecs.decode atob unescape ` +
			`String.fromCharCode
		String.fromCodePoint zlib.inflateSync zlib.gunzipSync zlib.brotliDecompressSync Base64.decode64 Base64.decode base64_decode gzinflate ` +
			`gzuncompress str_rot13 hex2bin pack MIME.Base64.decode_base64 decode_base64 decodeURIComponent marshal.loads chr rot13 ` +
			`base64.StdEncoding.DecodeString hex.DecodeString pako.inflate fromCharCode fromhex`)
	readCalls = source.Words(
		`open io.open codecs.open read_text read_bytes fs.readFileSync fs.readFile fs.promises.readFile fs.createReadStream ` +
			`readFileSync readFile fs/promises.readFile Deno.readTextFile Deno.readTextFileSync Deno.readFile Bun.file file_get_contents fopen ` +
			`File.read File.open IO.read sqlite3.connect shutil.copyfile os.open Path pathlib.Path configparser.read dotenv_values ` +
			`dotenv.dotenv_values
		glob.glob os.listdir os.walk os.scandir rglob iterdir fs.readdirSync fs.readdir readdirSync os.ReadFile ioutil.ReadFile aiofiles.open ` +
			`linecache.getlines np.loadtxt pd.read_csv json.load zipfile.ZipFile tarfile.open tar.add zf.write z.write archive.write make_archive ` +
			`shutil.make_archive archive.directory archive.file`)
	writeCalls = source.Words(`fs.writeFileSync fs.writeFile fs.appendFileSync fs.appendFile fs.promises.writeFile fs.promises.appendFile ` +
		`fs/promises.writeFile fs/promises.appendFile fs.createWriteStream writeFileSync appendFileSync writeFile appendFile ` +
		`Deno.writeTextFile Deno.writeTextFileSync Bun.write file_put_contents File.write os.WriteFile ioutil.WriteFile write_text ` +
		`write_bytes outputFile outputFileSync fs.outputFile`)
	copyCalls = source.Words(`shutil.copy shutil.copy2 shutil.copyfile shutil.move os.rename os.replace os.symlink os.link fs.copyFileSync ` +
		`fs.copyFile fs.renameSync fs.rename fs.symlinkSync fs.symlink FileUtils.cp symlink_to`)
)

// carriers are programs that take their arguments to another machine.
var carriers = source.Re(`(?:^|[\s;|&(/"'])(?:nslookup|dig|host|curl|wget|nc|ncat|ping|mail|sendmail|gh gist|git ` +
	`push|Resolve-DnsName|Invoke-RestMethod|Invoke-WebRequest)\s`)

// seals are calls from whose result the key that they were given cannot be had.
var seals = source.Re(
	`^(?:sign(?:ed)?(?:_?[tT]ransaction|_?[mM]essage|_?[tT]yped\w*)?|hmac|createHmac|createHash|hexdigest|digest|sha\d+|md5|` +
		`from_key|fromSecretKey|privateKeyToAccount|Wallet|hash|bcrypt|scrypt|pbkdf2\w*|verify)$`)

// gathers are methods by which an object takes in what it is given.
var gathers = source.Words(
	`append push add extend update set read parse load insert add_attachment attach attach_file feed concat unshift ` +
		`writestr setdefault put_nowait append_child`)

func is(set map[string]bool, name string) bool {
	for n := name; n != ""; {
		if set[n] {
			return true
		}
		_, rest, ok := strings.Cut(n, ".")
		if !ok {
			return false
		}
		n = rest
	}
	return false
}

// runsCode: a name that also means something harmless counts only as it stands: json.load is no load.
func runsCode(name string) bool {
	if weakExec[last(name)] || last(name) == "loads" {
		return execCalls[name]
	}
	return is(execCalls, name)
}

func last(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// parameter is one argument of a call.
type parameter struct {
	name  string  // of a keyword argument
	items []value // of a list that is written out, where it may be a command
	value
}

// call evaluates a call: first its arguments, then what it does.
func (c *code) call(name string, recv value, line int, args [][]Token) value {
	if a := c.alias[name]; a != "" {
		name = a
	}
	c.callbacks(name, recv, args)
	var ps []parameter
	all := value{taint: recv.taint}
	var strs []string
	own, argv := c.paramsOf(last(name)), argvCalls[name] || argvCalls[last(name)]
	for _, a := range args {
		p := parameter{}
		if len(a) > 2 && a[0].Kind == Word && a[1].Text == "=" {
			p.name = a[0].Text
			a = a[2:]
		}
		p.value = c.eval(a)
		if argv && len(a) > 1 && a[0].Text == "[" && match(a, 0) == len(a)-1 {
			for _, item := range split(a[1 : len(a)-1]) {
				p.items = append(p.items, c.eval(item))
			}
		}
		ps = append(ps, p)
		t := p.taint
		if len(ps) <= len(own) {
			t.label &^= envAll // of what a function of the bundle's own is given, it answers what it returns
		}
		all.taint = all.taint.and(t)
		strs = append(strs, p.text)
	}
	for i, key := range own { // one of the bundle's own functions
		if i < len(ps) && ps[i].label != 0 {
			c.grow(c.vars, key, ps[i].taint)
		}
		if i < len(ps) && ps[i].text != "" && len(ps[i].text) < 400 {
			if old := c.texts[key]; old == "" {
				c.texts[key] = ps[i].text
			}
		}
	}
	if t, ok := c.returns(last(name)); ok {
		all.taint = all.taint.and(t)
	}
	out := all
	switch n := last(name); n {
	case "join", "expanduser", "resolve", "expandvars", "Path", "homedir", "abspath", "home", "format", "joinpath", "normalize", "str",
		"with_name", "quote":
		sep := "/"
		if n == "format" || n == "str" || n == "quote" {
			sep = ""
		}
		if sep != "" && len(strs) > 1 && strs[0] == "" && recv.text == "" {
			strs = append([]string{"?"}, strs[1:]...) // a folder that is not known is not the root
		}
		if n == "join" && !strings.Contains(name, "path") && len(strs) < 2 {
			list, by := recv.text, strings.Join(strs, "") // JavaScript: list.join(sep); Python: sep.join(list)
			if c.kind == source.Python {
				list, by = by, list
			}
			if by == "" && len(strs) == 0 {
				by = ","
			}
			out.text = strings.ReplaceAll(list, " ", by)
		} else {
			out.text = strings.TrimPrefix(recv.text+sep+strings.Join(strs, sep), sep)
		}
		if n == "homedir" || n == "home" {
			out.text = "~"
		}
	case "decode", "encode", "strip", "trim", "toString", "lower", "toLowerCase", "replace", "split", "read", "text", "reverse", "rstrip",
		"String", "as_posix":
		out.text = recv.text
		if out.text == "" && len(strs) > 0 && (n == "String") {
			out.text = strs[0]
		}
	}
	if is(decodeCalls, name) || last(name) == "from" && len(ps) > 1 && (ps[1].text == "base64" || ps[1].text == "hex") {
		out.label |= decoded
		out.text = ""
	}
	if _, own := c.returns(last(name)); !own && out.is(cred) && seals.MatchString(last(name)) {
		out.label, out.creds = out.label&^cred, nil
	}
	c.act(name, recv, ps, all, strs, line, &out)
	if base, _, ok := strings.Cut(name, "."); ok && gathers[last(name)] && (all.label|out.label)&(secret|envAll) != 0 {
		c.let(base, value{taint: taint{label: (all.label | out.label) & (secret | envAll)}.and(all.taint).and(out.taint)})
	}
	return out
}

// dynamic is what the result of a call is called: getattr(os, "system") is os.system, require("https") is https.
func (c *code) dynamic(name string, args [][]Token) string {
	if len(args) == 0 {
		return "()"
	}
	switch name {
	case "require", "__import__", "import", "importlib.import_module":
		if m := strings.TrimPrefix(c.eval(args[0]).text, "node:"); m != "" {
			c.module(m, args[0][0].Line)
			return m
		}
	}
	if name == "getattr" && len(args) >= 2 {
		base := ""
		for _, t := range args[0] {
			base += t.Text
		}
		if a := c.alias[base]; a != "" {
			base = a
		}
		if f := c.eval(args[1]).text; f != "" {
			switch base {
			case "__builtins__", "builtins", "globalThis", "window", "global":
				return f
			}
			return base + "." + f
		}
	}
	return "()"
}

// callbacks: what a call hands to a function that is written among its arguments.
func (c *code) callbacks(name string, recv value, args [][]Token) {
	if c.kind == source.Python {
		return
	}
	t := recv.taint
	if is(netCalls, name) {
		t = t.and(taint{label: remote, url: c.eval(firstOf(args)).text})
	}
	for _, a := range args {
		for i, tok := range a {
			if tok.Text != "=>" && tok.Text != "function" {
				continue
			}
			part := a[:i]
			if tok.Text == "function" {
				part = a[i:]
			}
			for _, p := range part {
				if p.Text == ")" && tok.Text == "function" {
					break
				}
				if p.Kind == Word && p.Text != "async" && p.Text != "function" {
					c.set(p.Text, t)
				}
			}
			if tok.Text == "=>" { // c => all += c
				c.assignment(a[i+1:])
			}
			break
		}
		if len(a) == 1 && a[0].Kind == Word { // .then(run)
			for _, key := range c.paramsOf(a[0].Text) {
				if t.label != 0 {
					c.grow(c.vars, key, t)
				}
			}
			if a[0].Text == "eval" {
				c.execute(t, a[0].Line)
			}
		}
	}
}

func firstOf(args [][]Token) []Token {
	if len(args) == 0 {
		return nil
	}
	return args[0]
}

// act is what a call does to the world.
func (c *code) act(name string, recv value, ps []parameter, all value, strs []string, line int, out *value) {
	n := last(name)
	switch {
	case name == "os.getenv" || strings.HasSuffix(name, "environ.get") || n == "getenv" || n == "getEnv" || name == "Deno.env.get" ||
		name == "ENV.fetch":
		out.taint = taint{}
		if len(ps) > 0 {
			out.taint = c.credential(ps[0].text, line)
			if ps[0].text == "HOME" || ps[0].text == "USERPROFILE" {
				out.text = "~"
			}
		}
		return
	case strings.HasPrefix(name, "os.environ.") || name == "Deno.env.toObject":
		if n == "copy" || n == "items" || n == "values" || n == "toObject" {
			out.taint = out.taint.and(taint{label: envAll, what: "the environment", where: c.here(line)})
		}
		if n == "setdefault" || n == "update" || n == "get" {
			out.taint.label &^= envAll
		}
		return
	case strings.HasPrefix(name, "keyring.") || strings.HasPrefix(name, "keytar."):
		out.taint = out.taint.and(taint{label: cred, creds: []string{"keyring"}, where: c.here(line)})
		return
	case strings.Contains(name, "browser_cookie3") || n == "findCredentials":
		out.taint = out.taint.and(taint{label: secret, what: "the browser's cookies", where: c.here(line)})
		return
	case strings.HasPrefix(name, "pyperclip.paste") || strings.Contains(name, "clipboard.read"):
		out.taint = out.taint.and(taint{label: secret, what: "the clipboard", where: c.here(line)})
		return
	case strings.HasPrefix(name, "ImageGrab.grab") || strings.HasSuffix(name, "pyautogui.screenshot") || n == "desktopCapturer":
		out.taint = out.taint.and(taint{label: secret, what: "a picture of the screen", where: c.here(line)})
		return
	}
	if runsCode(name) && !(n == "exec" && recv.label == 0 && strings.Contains(name, ".") && !execCalls[name]) {
		c.runs(name, ps, all, line, out)
	}
	if is(netCalls, name) || netMethods[n] && strings.Contains(name, ".") {
		c.network(name, recv, ps, line, out)
	}
	if n == "dup2" && (len(ps) == 0 || ps[0].path == "" && !ps[0].is(data)) { // a file is no socket
		c.connect(line)
	}
	c.filesOf(name, recv, ps, line, out)
	if n == "SetValueEx" || n == "CreateKey" && strings.Contains(strings.Join(strs, ""), `CurrentVersion\Run`) {
		c.add("persistence", line, report.With{Meaning: "It writes to the registry."})
	}
	if n == "rmtree" || n == "rmSync" || n == "rm_rf" || name == "fs.rm" || n == "rmdirSync" {
		for _, s := range strs {
			if homes.MatchString(strings.TrimSuffix(s, "/")) {
				c.add("destructive", line, report.With{})
			}
		}
	}
	if n == "chmod" && len(ps) > 1 {
		c.execute(c.holds(ps[0].text), line)
	}
}

// connect: standard streams put onto a socket are a reverse shell.
func (c *code) connect(line int) {
	k := "<dup2"
	at := c.get(k).path
	if at != "" && at != c.here(line) || c.U.F.Uses.Tools["network"] {
		c.add("reverse-shell", line, report.With{})
		return
	}
	c.vars[c.key(k)] = taint{path: c.here(line)}
}

// network is a call that reaches another machine.
func (c *code) network(name string, recv value, ps []parameter, line int, out *value) {
	address := ""
	var head, body taint
	n := last(name)
	if netMethods[n] && !is(netCalls, name) {
		body = recv.taint
		body.label &^= remote | known
	}
	for i, p := range ps {
		if strings.Contains(p.text, "://") && address == "" {
			address = p.text[strings.Index(p.text, "://")-min(5, strings.Index(p.text, "://")):]
			address = strings.TrimLeft(address, "\"' (")
			if f := strings.Fields(address); len(f) > 0 {
				address = f[0]
			}
		}
		switch {
		case i == 0 && p.name == "" && opens(n) && p.text == "" && !p.taint.is(secret):
			// where to, as the user set it
		case p.name == "headers" || p.name == "auth" || p.name == "cookies" || p.name == "token" || p.name == "cert":
			head = head.and(p.taint)
		case i > 0 && p.name == "" && (strings.Contains(p.text, "Authorization") || strings.Contains(p.text, "Bearer") ||
			strings.Contains(p.text, "headers")):
			head = head.and(p.taint)
		default:
			body = body.and(p.taint)
		}
	}
	if address == "" && len(ps) > 0 && strings.Contains(ps[0].text, ".") {
		address = ps[0].text
	}
	if !strings.Contains(address, "://") && strings.ContainsAny(address, " \n") {
		address = "" // a sentence, and no place
	}
	if is(netCalls, name) || body.label&(secret|envAll) != 0 {
		c.U.F.Uses.Tools["network"] = c.U.F.Uses.Tools["network"] || is(netCalls, name)
		if (n == "write" || n == "end" || n == "emit" || n == "resolve" || n == "connect" || n == "upload" || n == "request") &&
			!is(netCalls, name) && recv.label&remote == 0 && !strings.Contains(name, "sock") && !strings.Contains(name, "req") &&
			!strings.Contains(name, "client") && !strings.Contains(name, "conn") && !strings.Contains(name, "bucket") &&
			!strings.Contains(name, "s3") {
			return
		}
		if ownOutput.MatchString(name) || strings.Contains(name, "sock") && c.serves() {
			return
		}
		if n == "send" && (strings.Contains(name, "res.") || strings.Contains(name, "process.send") || strings.Contains(name, "generator")) {
			return
		}
		c.send(body, address, false, line)
		c.send(taint{label: head.label, creds: head.creds, what: head.what, where: head.where}, address, true, line)
	} else if body.is(cred) && (strings.Contains(address, "://") || netMethods[n] && n != "write" && n != "end") {
		c.send(body, address, false, line)
	}
	if is(netCalls, name) && !source.Local(source.HostOf(address)) {
		got := fetched(address)
		out.taint = taint{label: got.label | out.label&decoded, url: got.url}
		out.text = ""
		if n == "urlretrieve" && len(ps) > 1 {
			c.write(ps[1].text, "", got, line)
		}
	}
}

// opens: the call's first parameter is only where the connection goes.
func opens(method string) bool {
	return method == "connect" || method == "createConnection" || method == "createClient" || method == "create_engine"
}

// ownOutput: what is written there is shown or noted on this computer.
var ownOutput = source.Re(`(?i)\b(?:std(?:err|out)|console|span|logger)\.(?:write|end|emit|log|error|info)$`)

// serves: the program answers those who call it and calls nobody, so its sockets are its callers'.
func (c *code) serves() bool {
	t := c.U.F.Text
	return strings.Contains(t, "createServer(") &&
		!hint.Any(t, []string{"net.connect", "createConnection", "new WebSocket(", "new net.Socket"})
}

// filesOf is a call that reads or writes a file.
func (c *code) filesOf(name string, recv value, ps []parameter, line int, out *value) {
	n := last(name)
	p := ""
	if len(ps) > 0 {
		p = ps[0].text
	}
	switch {
	case (n == "open" || n == "ZipFile" || name == "fopen" || n == "createWriteStream") && len(ps) > 0:
		if recv.text != "" && (strings.Contains(recv.text, "/") || strings.Contains(recv.text, ".")) && !strings.Contains(p, "/") && len(p) < 4 {
			p, ps = recv.text, append([]parameter{{}}, ps...)
		}
		mode := ""
		for i, q := range ps {
			if i > 0 && len(q.text) < 6 && (q.name == "mode" || q.name == "") {
				mode = q.text
			}
		}
		if strings.ContainsAny(mode, "wax+") || n == "createWriteStream" {
			c.write(p, "", taint{}, line)
			out.taint = taint{path: p}
			return
		}
		out.taint = out.taint.and(c.read(p, line))
		out.text = ""
	case is(writeCalls, name):
		t := taint{}
		content := ""
		if n == "write_text" || n == "write_bytes" {
			content = p
			p = recv.text
			if len(ps) > 0 {
				t = ps[0].taint
			}
		} else if len(ps) > 1 {
			t, content = ps[1].taint, ps[1].text
		}
		c.write(p, content, t, line)
	case is(copyCalls, name) && len(ps) > 1:
		t := c.holds(p).and(ps[0].taint)
		if what, usual := c.private(p); what != "" && !usual {
			t = t.and(c.read(p, line))
		}
		c.write(ps[1].text, "", t, line)
	case (n == "write" || n == "writelines" || n == "extractall" || n == "dump") && recv.path != "" || n == "dump" && len(ps) > 1 &&
		ps[1].path != "":
		h := recv.path
		if h == "" {
			h = ps[1].path
		}
		t := taint{}
		text := ""
		for _, q := range ps {
			t = t.and(q.taint)
			text += q.text
		}
		t.path = ""
		c.write(h, text, t, line)
	case is(readCalls, name) || n == "read" || n == "add" && strings.Contains(name, "tar") || n == "write" && strings.HasPrefix(name, "z"):
		if recv.text != "" && (n == "read_text" || n == "read_bytes" || n == "iterdir" || n == "rglob") {
			if n == "rglob" {
				recv.text += "/" + p
			}
			p = recv.text
		}
		if n == "Path" {
			return
		}
		out.taint = out.taint.and(c.read(p, line))
		if n == "add" || n == "write" || n == "make_archive" {
			c.let(strings.SplitN(name, ".", 2)[0], value{taint: out.taint})
			if recv.path != "" && out.label != 0 {
				k := fileKey(recv.path)
				c.grow(c.files, k, taint{label: out.label, what: out.what, where: out.where})
			}
			if n == "make_archive" && len(ps) > 2 {
				t := c.read(ps[2].text, line)
				c.files[fileKey(p+".zip")] = t
				out.taint = out.taint.and(t)
			}
		}
	case n == "copyfileobj" && len(ps) > 1 && ps[1].path != "":
		c.write(ps[1].path, "", ps[0].taint, line)
	}
}
