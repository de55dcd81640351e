package redact

import (
	"strings"

	"showhow/capture/secret"
	"showhow/internal/lazyre"
)

// programRules recognise secrets on the command lines of certain programs.
var programRules = []rule{
	{
		name: "attached-p", place: true, kind: secret.Password, hints: []string{"mysql", "mariadb", "mycli", "7z", "rar ", "sshpass"},
		re:   `\b(?:mysql[\w-]*|mariadb[\w-]*|mycli|7z[arz]?|(?:un)?rar|sshpass)` + rest + `\s-h?p` + value,
		keep: harmless,
		hits: []string{"mysql -u root -p«S3cret» shop", "mysqldump -p'«a b»' shop > x.sql", "7z a -p«zip» o.7z d", "sshpass -p«pw» ssh h"},
		misses: []string{"mysql -u root -p shop", "mysql -p$PW shop", "mysql --port 3306",
			"find . -name mysql -print", "bash -c 'find /srv -name mysql -print'", "find . -path '*mysql*' -prune -o -print",
			"ls /usr/share/mysql -pl"},
	},
	{
		name: "separate-p", place: true, kind: secret.Password,
		hints: []string{"sshpass", "login", "mongo", "twine", "mosquitto", "docker", "podman",
			"skopeo", "useradd", "usermod", "xfreerdp", "mycli"},
		re: `\b(?:sshpass|mongo(?:sh|dump|restore|export|import)?|twine|mosquitto_\w+|(?:docker|podman|nerdctl|helm|skopeo|az|oc|buildah|` +
			`argocd|cf|ibmcloud|registry)\b[^\n|;&]*?\blogin|useradd|usermod)` + rest + `\s-p[ =]` + value,
		keep: harmlessOrFlag,
		hits: []string{"sshpass -p «pw» ssh h", "docker login -u bob -p «x» r.example", "mongosh -u a -p «b» db",
			"helm registry login h -u a -p «b»"},
		misses: []string{"docker run -p 8080:80 x", "mongod -p 1", "mongosh -u a -p --quiet"},
	},
	{
		name: "capital-p", place: true, kind: secret.Password, hints: []string{"zip", "sqlcmd", "bcp", "ipmitool", "mosquitto_"},
		re:   `\b(?:zip|unzip|sqlcmd|bcp|ipmitool|mosquitto_\w+)` + rest + `\s-P[ ]?` + value,
		keep: harmless,
		hits: []string{"unzip -P «x» a.zip", "sqlcmd -S h -U sa -P «Pw1»"}, misses: []string{"unzip -p a.zip f"},
	},
	{
		name: "user-colon-password", place: true, kind: secret.Password, hints: []string{"curl", "http", "xh", "wget", "--user", "proxy-user"},
		re: `\b(?:curl|https?|xh|wget|lftp|siege|ab)` + rest + `\s(?:-[a-zA-Z]*[uUaA]|--user|--proxy-user|--auth)[ ` +
			`=]?(?:"[^\s:"\x00]*:([^"\x00]+)"|'[^\s:'\x00]*:([^'\x00]+)'|[^\s:"'\x00/]*:([^\s"'\x00|;&<>]+))`,
		keep: func(t string, s, e int) bool { return harmless(t, s, e) || strings.HasPrefix(t[s:e], "//") },
		hits: []string{"curl -u bob:«pw» https://h/", "curl -sSu 'bob:«p w»' h", "curl --user bob:«x» h", "http -a bob:«x» :8000",
			"curl --proxy-user a:«b» h", "curl -ubob:«z» h"},
		misses: []string{"curl -u bob h", "curl -u $U:$P h", "curl -A agent http://h:80/"},
	},
	{
		name: "auth-pair", kind: secret.Password, hints: []string{"auth", "-user", "cred", "-c "},
		re:   `\s(?:-{1,2}(?:[a-z]+-)*(?:auth|user(?:name)?|cred(?:ential)?s?)|-C)[ =]["']?[\w.@\\-]+:([^\s"'\x00]+)`,
		keep: unchosen,
		hits: []string{"miniserve --auth bob:«Pw12» dir", "java -jar cli.jar -auth bob:«t0k3n»", "lwp-request -C bob:«S3c» u"}, misses: []string{
			"docker run --user 1000:1000 img", "docker run --user app:app img", "x --auth-type basic", "git -C a:b log"},
	},
	{
		name: "pair-at-host", kind: secret.Password, hints: []string{"@"},
		re: `(?:^|[\s"'=])[A-Za-z][\w.\\/-]*:([^\s:@/"'\x00]+)@[A-Za-z0-9]`,
		keep: func(t string, s, e int) bool {
			return unchosen(t, s, e) || strings.HasPrefix(t[e:], "@sha") || strings.HasSuffix(before(t, s, 8), "npm:") ||
				!mixedRE.MatchString(t[s:e]) && !strings.ContainsAny(t[s:e], "!#%&*+=?^~$")
		},
		hits: []string{"mssqlclient.py bob:«Pw12»@srv", "-dsn 'bob:«p#w»@tcp(h)/db'", "psexec.py corp/bob:«Gurke7»@dc cmd"},
		misses: []string{"docker pull python:3.12-slim@sha256:9f86", "npm i x@npm:react@18", "nginx:1.27@sha256:ab", "mail: a@b.example",
			"bob: anna2@x"},
	},
	{
		name: "domain-pair", kind: secret.Password, hints: []string{".py ", "impacket"},
		re: `(?:\.py|\bimpacket-\w+)\b[^\n|;&]*?\s["']?[\w.-]+[/\\][\w.-]+:([^\s@"'\x00]+)`, keep: harmless,
		hits: []string{"getTGT.py -dc-ip 10.0.0.1 corp/bob:«Gurke77x»"}, misses: []string{"python x.py a/b"},
	},
	{
		name: "slash-u-p", kind: secret.Password, hints: []string{"/p "},
		re: `(?i)\s/u(?:ser)?[ :]\S+\s+/p[ ]` + value, keep: harmless,
		hits: []string{"tasklist /s h /u bob /p «Gurke7»"}, misses: []string{"copy /p y", "x /u a /p $P"},
	},
	{
		name: "cookie-flag", place: true, kind: secret.Cookie, hints: []string{"curl", "cookie"},
		re:   `\bcurl` + rest + `\s(?:-b|--cookie)[ =]?(?:"([^"\x00]*=[^"\x00]*)"|'([^'\x00]*=[^'\x00]*)'|([^\s"'\x00=]+=[^\s"'\x00]+))`,
		hits: []string{"curl -b «sid=abc» h", `curl --cookie "«a=b; c=d»" h`}, misses: []string{"curl -b jar.txt h"},
	},
	{
		name: "short-secret-flag", place: true, kind: secret.Password,
		hints: []string{"redis-", "valkey-", "ldap", "security", "snmp", "openssl", "codecov",
			"cryptcat", "ss-local", "ss-server", "zpaq", "airdecap", "stegsnow", "mupdf", "steghide", "chpass", "httping", "-upw", "-opw", "influx",
			"schtasks", "expect"},
		re: `(?:\b(?:(?:redis|valkey)-(?:cli|benchmark)` + rest + `\s-a|(?:cryptcat|ss-local|ss-server|zpaq)` + rest +
			`\s-k|(?:airdecap-ng|stegsnow|mupdf|steghide|chpass)` + rest + `\s-[pP]|httping` + rest + `\s-P|security\s+create-keychain` + rest +
			`\s-p|ldap(?:search|modify|add|passwd|whoami|delete)` + rest + `\s-[wsxyD]*w|ldappasswd` + rest + `\s-[as]|security\s+add-` + rest +
			`\s-w|snmp\w+` + rest + `\s-[AXc]|openssl\s+enc` + rest + `\s-k|(?:codecov|influx)` + rest + `\s-t|schtasks` + rest +
			`\s/[rR][pP])|\s-[ou]pw)[ ]?` + value,
		keep: harmlessOrFlag,
		hits: []string{"redis-cli -h c -a «pw» ping", "ldapsearch -x -D cn=a -w «pw» -b dc=x", "snmpwalk -v2c -c «community» h",
			"openssl enc -d -aes-256-cbc -in a -k «brownfox9»", "ldappasswd -D x -s «newPw» uid=b", "ss-local -s h -k «pw1» -m x",
			"pdfinfo -upw «pw1» f.pdf"}, misses: []string{"redis-cli -h c ping", "ldapsearch -x -W", "openssl req -key k.pem"},
	},
	{
		name: "slash-p", kind: secret.Password, hints: []string{"/p:", "/pass:", "/password:"},
		re: `(?i)\s/p(?:ass(?:word)?)?:` + value,
		keep: func(t string, s, e int) bool {
			return harmless(t, s, e) || propertyRE.MatchString(t[s:e]) && strings.HasSuffix(strings.ToLower(t[:s]), "/p:")
		},
		hits: []string{"xfreerdp /u:bob /p:«pw» /v:h", "cmdkey /add:h /user:b /pass:«k=y»"}, misses: []string{
			"msbuild /p:$X a.sln", "ls /p/x", "msbuild a.sln /p:Configuration=Release"},
	},
	{
		name: "user-comma-password", kind: secret.Password, hints: []string{"lftp"},
		re: `\blftp` + rest + `\s(?:-u|--user)[ =]?["']?[^\s,"'\x00]+,([^\s"'\x00]+)`, keep: harmless,
		hits: []string{"lftp -u bob,«ftpsecret» ftp.example.com"}, misses: []string{"lftp -u bob ftp.example.com"},
	},
	{
		name: "expect-send", kind: secret.Password, hints: []string{"send "},
		re: `\bsend\s+(?:--\s+)?\\?["']([^"'\\\x00]+)\\[rn]`,
		keep: func(t string, s, e int) bool {
			return harmless(t, s, e) || !riskyRE.MatchString(t[s:e]) || strings.Contains(t[s:e], " ")
		},
		hits: []string{`expect -c 'spawn ssh h; send "«Romana9»\r"'`}, misses: []string{`send "yes\r"`, `send "ls -l /tmp\r"`},
	},
	{
		name: "refresh-token", kind: secret.AccessKey, hints: []string{"1//0"},
		re:   `\b(1//0[\w-]{12,})`,
		hits: []string{"gcloud auth activate-refresh-token anna «1//0gabcDEFghiJKL-mnop»"}, misses: []string{"1//0"},
	},
	{
		name: "config-secret", kind: secret.Password, hints: []string{"--secret"},
		re: `\bconfig\s+set\s+(?:--secret\s+\S+\s+` + value + `|[^\s-]\S*\s+` + value + `\s+--secret)`, keep: harmlessOrFlag,
		hits: []string{"pulumi config set --secret db:x «Emmer9»", "pulumi config set x «Emmer9» --secret"}, misses: []string{
			"pulumi config set --secret x", "pulumi config set x y"},
	},
	{
		name: "redis-config", kind: secret.Password, hints: []string{"requirepass", "masterauth"},
		re: `(?i)\b(?:requirepass|masterauth)[ \t]+` + value, keep: harmless,
		hits: []string{"requirepass «r3qpass»"}, misses: []string{"requirepass $PW"},
	},
	{
		name: "password-command", kind: secret.Password, hints: []string{"-command", "-cmd", "askpass"},
		re: `(?i)--?(?:pass\w*|secret|token|askpass)-?(?:command|cmd)?[ =]["']?(?:echo|printf)\s+([^\s"'\x00]+)`, keep: harmless,
		hits: []string{`restic --password-command "echo «resticpw»" snapshots`}, misses: []string{`restic --password-command "pass show x"`},
	},
	{
		name: "totp-seed", kind: secret.OTP, hints: []string{"oathtool", "totp", "otp"},
		re: `(?:\boathtool\b[^\n|;&]*?\s["']?([A-Z2-7]{8,}=*|[a-z2-7]{16,}=*|[0-9a-f]{16,})\b|(?i:otp(?:auth)?://\S*?[?&` +
			`]secret=)([A-Za-z2-7]{8,}))`,
		hits: []string{"oathtool -b --totp «GEZDGNBVGY3TQOJQ»", "otpauth://totp/A:b?secret=«NB2W45DFOIZA»&issuer=A"}, misses: []string{
			"oathtool --totp @seed.txt", "oathtool --help"},
	},
	{
		name: "openssl-pass", kind: secret.Password, hints: []string{"pass:"},
		re: `\bpass:` + value, keep: harmless,
		hits: []string{"openssl rsa -in k -passin pass:«x»"}, misses: []string{"openssl rsa -passin env:PW"},
	},
	{
		name: "smb-percent", kind: secret.Password, hints: []string{"%"},
		re:   `(?:\b(?:smb\w+|rpcclient|net|winexe|wmic)` + rest + `\s(?:-U[ ]?|--user[ =])["']?|\buser(?:name)?=)[^\s%"',\x00]+%([^\s"',\x00]+)`,
		keep: func(t string, s, e int) bool { return hexPairRE.MatchString(t[s-1 : min(len(t), s+2)]) },
		hits: []string{"smbclient //h/s -U bob%«pw»", "mount.cifs //n/x /m -o username=anna%«pctpw»"}, misses: []string{"smbclient //h/s -U bob"},
	},
	{
		name: "sqlplus", place: true, kind: secret.Password, hints: []string{"sqlplus", "sqlldr", "expdp", "impdp"},
		re:   `\b(?:sqlplus|sqlldr|expdp|impdp)` + rest + `\s[A-Za-z][\w$]*/([^\s@"'\x00/]+)(?:@|\s|$)`,
		hits: []string{"sqlplus scott/«tiger»@orcl"}, misses: []string{"sqlplus /nolog"},
	},
	{
		name: "positional-secret", place: true, kind: secret.Password, hints: []string{"htpasswd", "wpa_passphrase", "vault login", "add_user",
			"change_password", "nmcli", "alias set", "-password", "ssh-keygen", "airportnetwork", "login "},
		re: `\b(?:htpasswd\s+(?:-\w+\s+)*-[a-zA-Z]*n[a-zA-Z]*\s+(?:-\w+\s+)*[^\s-]\S*\s+|` +
			`htpasswd\s+(?:-\w+\s+)*-[a-zA-Z]*b[a-zA-Z]*\s+(?:-\w+\s+)*[^\s-]\S*\s+\S+\s+|wpa_passphrase\s+(?:"[^"]*"|\S+)\s+|vault\s+login\s+|` +
			`rabbitmqctl\s+(?:add_user|change_password)\s+\S+\s+|nmcli\b[^\n|;&]*?\spassword\s+|grafana[ ` +
			`-]cli\b[^\n|;&]*?\sreset-admin-password\s+(?:--?\S+[ ` +
			`=]\S+\s+)*|networksetup\s+-setairportnetwork\s+\S+\s+(?:"[^"]*"|\S+)\s+|steam(?:cmd)?\s+[-+]login\s+\S+\s+|ssh-keygen\b[^\n|;&` +
			`]*?\s-[NP]\s+|mc\s+alias\s+set\s+\S+\s+\S+\s+\S+\s+)` + value,
		keep: harmlessOrFlag,
		hits: []string{"htpasswd -bc .htpasswd bob «pw»", "htpasswd -nb bob «pw»", "htpasswd -b -B users anna «gu3st»",
			"wpa_passphrase home «passphrase»", "vault login «s.abc»", "nmcli dev wifi connect home password «x1»",
			"mc alias set m http://h AK «SK»"},
		misses: []string{"ssh-keygen -t ed25519 -N '' -f k", "vault login -method=oidc", "htpasswd -c f bob"},
	},
	{
		name: "config-set", kind: secret.AccessKey, hints: []string{"set ", "set\t", "setx", "setenv", "config"},
		re: `(?i)\b(?:set(?:x|env|(?:\s+--?[A-Za-z]+)+)?|config(?:ure)?(?:\s+--?\w+)*(?:\s+set|\s+add)?)\s+["']?[\w./:@-]*(?:` + longNames +
			`|_auth|authtoken|pass|passwd)["']?[ \t]+` + value,
		keep: func(t string, s, e int) bool {
			return harmlessOrPath(t, s, e) || t[s] == '-' || strings.Contains(strings.ToLower(before(t, s, 24)), "user.signingkey")
		},
		hits: []string{"set -x -g BOT_SECRET «owl»", "set --export A_TOKEN «b»", "CONFIG SET requirepass «r»",
			"aws configure set aws_secret_access_key «abc»", "npm config set //r.example/:_authToken «t»", "set -gx API_TOKEN «abc»",
			"git config --global github.token «x»", "setx DB_PASSWORD «y»"},
		words: []string{"set -x DB_PASSWORT «owl»", "setx HESLO «sova»"},
		misses: []string{"aws configure set region eu-west-1", "set -o pipefail", "git config --global user.name bob",
			"git config user.signingkey 3AA5C34371567BD2"},
	},
	{
		name: "container-env", kind: secret.Env, hints: []string{"-e", "--env", "--build-arg"},
		re: `\b(?:docker|podman|nerdctl|docker-compose|kubectl|oc|lxc|buildah|ansible[\w-]*|flatpak|systemd-run)` + rest +
			`\s(?:-e|--env|--build-arg|--setenv|-E)[ =]?["']?[A-Za-z_]\w*=` + value,
		keep: func(t string, s, e int) bool { return harmless(t, s, e) || countRE.MatchString(t[s:e]) },
		hits: []string{"docker run -e POSTGRES_PASSWORD=«x» postgres", "docker run --env MODE=«fast» img",
			"ansible-playbook -e user_pw=«a» p.yml"}, misses: []string{"docker run -e HOME img", "docker run -e A=$A img", "grep -e A=b f",
			"ansible-playbook -e version=1.42.0 d.yml"},
	},
}

var (
	propertyRE = lazyre.New(`^["']?[A-Z]\w*=`)  // msbuild's /p:Name=Value
	hexPairRE  = lazyre.New(`^%[0-9A-Fa-f]{2}`) // of a URL
	// Programs whose -p is a port, a parent or a mode.
	portPrograms = map[string]bool{"docker": true, "podman": true, "nerdctl": true, "mysql": true, "mysqldump": true, "mysqladmin": true,
		"mariadb": true, "psql": true, "pg_dump": true,
		"ssh": true, "scp": true, "sftp": true, "ssh-copy-id": true, "rsync": true, "mkdir": true, "cp": true, "install": true, "ps": true,
		"git": true, "nmap": true, "redis-cli": true,
		"journalctl": true, "useradd": true, "usermod": true, "unzip": true, "perl": true, "patch": true, "xargs": true, "parallel": true,
		"pytest": true}
)
