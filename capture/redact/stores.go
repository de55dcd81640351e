package redact

import (
	"strings"

	"showhow/capture/secret"
)

// storeRules recognise commands that put a secret into a store, a login or another program's standard input.
var storeRules = []rule{
	{
		name: "secret-set", kind: secret.AccessKey, hints: []string{"secret", "config:set", "put-parameter", "variable", "ssm"},
		re: `\b(?:gh\s+secret\s+set|heroku\s+config:set|az\s+keyvault\s+secret\s+set|aws\s+ssm\s+put-parameter|` +
			`aws\s+secretsmanager\s+(?:create|put|update)-secret\S*|glab\s+variable\s+set|(?:fly|flyctl|doppler|wrangler|supabase|eas|` +
			`kubectl\s+create)\s+secrets?\b)` + rest +
			`(?:\s(?:--from-literal[= ])?(?:"[A-Za-z_][\w.-]*=((?:\\.|[^"\\\x00])+)"|'[A-Za-z_][\w.-]*=([^'\x00]+)')` +
			`|(?:\s(?:-b|--body|--value|--secret-string)[ =]|\s(?:--from-literal[= ])?[A-Za-z_][\w.-]*=)` + value + `)`,
		keep: func(t string, s, e int) bool { return harmlessOrFlag(t, s, e) || strings.HasPrefix(t[s:e], "file://") },
		hits: []string{"gh secret set TOKEN -b «abc»", "heroku config:set A=«b»", "fly secrets set DB=«x»",
			"kubectl create secret generic s --from-literal=user=«u»", "kubectl create secret generic s --from-literal='k=«u 1»'",
			`kubectl create secret generic s --from-literal "k=«u 2»"`, "heroku config:set 'A=«b»'",
			"aws ssm put-parameter --name /db --value «pw1»", "az keyvault secret set --name x --value '«a b»'"},
		misses: []string{"gh secret list", "kubectl get secret s", "aws ssm put-parameter --name x --value $V",
			"aws secretsmanager create-secret --secret-string file://s.json"},
	},
	{
		name: "secret-field", kind: secret.Password, hints: []string{"vault", "op item", "pass ", "bw ", "kv put"},
		re: `\b(?:vault\s+(?:kv\s+(?:put|patch)|write)|op\s+item\s+(?:create|edit)|consul\s+kv\s+put|etcdctl\s+put)` + rest +
			`\s[A-Za-z_][\w.-]*(?:\[\w+\])?=` + value,
		keep: func(t string, s, e int) bool { return harmlessOrPath(t, s, e) || strings.HasPrefix(t[s:e], "@") },
		hits: []string{"vault kv put secret/db user=«app»", "vault write auth/userpass/users/a pw=«x»"}, misses: []string{
			"vault kv put secret/db @data.json", "vault kv get secret/db", "vault kv put secret/db x=$X"},
	},
	{
		name: "login-token", kind: secret.AccessKey, hints: []string{"login", "authtoken", "auth", "unseal", "activate", "set-token"},
		re: `\b(?:login|(?:add-)?auth-?token|auth\s+token|auth:token|set-token|unseal|activate)\s+["']?([\w~+/=-]{10,})`,
		keep: func(t string, s, e int) bool {
			return !tokenLike(t[s:e], 10) || e < len(t) && (t[e] == '.' || t[e] == ':' || t[e] == '/')
		},
		hits: []string{"cargo login «cio7sZaQw8eRtY»", "ngrok config add-authtoken «2Abc3Def4Ghi»", "flyctl auth token «fo1_aaBBccDD»",
			"vault operator unseal «Zk3cT9vXyQ1b»"},
		misses: []string{"docker login registry1.example.com", "az login --use-device-code", "cf login web-frontend",
			"conda activate project2026.1"},
	},
	{
		name: "user-then-p", kind: secret.Password, hints: []string{" -u", " -l", "--user"},
		re:   `\s(?:-u|-l|--user(?:name)?|--login)[ =]?\S+` + `(?:\s+-{1,2}[\w-]+(?:[= ][^\s-]\S*)?)*?` + `\s-p[ ]` + value,
		keep: func(t string, s, e int) bool { return unchosen(t, s, e) || portPrograms[program(t, s)] },
		hits: []string{"rdesktop -u anna -p «Office365!» pc17", "smbmap -H h -u bob -p '«map it»'", "evil-winrm -i 10.0.0.9 -u bob -p «W1nter»",
			"psexec \\\\pc -u bob -p «psx!1» cmd"},
		misses: []string{"docker run -u 1000 -p 8080:80 img", "mysql -u root -p shop2", "sudo -u bob mkdir -p /srv/a1", "ssh -l bob -p 2222 h",
			"psql -U a -p 5432 d",
			"rsync -u -p a1 b", "psql -u a -p --quiet"},
	},
	{
		name: "piped-secret", kind: secret.Password, hints: []string{"--stdin", "-stdin", "sudo -s", "--with-token", "chpasswd", "passwd",
			"cryptsetup", "secret", "-fd 0", "| gpg", "kinit", "askpass", "argon2", "insert", "secrethub"},
		re: `(?i)(?:yes|echo(?:\s+-[neE]+)*|printf(?:\s+["']?%s(?:\\n)?["']?)?)\s+` + value + `\s*\|\s*(?:sudo\s+-S|(?:sudo\s+)?(?:passwd\b|` +
			`smbpasswd|cryptsetup|kinit|argon2|openssl\s+passwd|(?:go)?pass(?:age)?\s+insert|secrethub\s+write)|\S*gpg2?\s[^\n|;&` +
			`]*--passphrase-fd[ =]0|\S+[^\n|;&]*?(?:--password-stdin|--with-token|secrets?\s+(?:set|create|put)))`,
		keep: harmless,
		hits: []string{"echo «pw» | sudo -S apt update", "echo '«p w»' | docker login --password-stdin -u a",
			"printf '%s' «x» | gh auth login --with-token", "echo «g1» | gpg --batch --passphrase-fd 0 -d f", `printf '«n3w\nn3w\n»' | passwd anna`},
		misses: []string{"echo $PW | sudo -S ls", "echo hello | wc -c"},
	},
	{
		name: "filed-secret", kind: secret.Password, hints: []string{"secret", "passw", "token", "credential", ".netrc", "apikey", "api_key",
			".pgpass", ".my.cnf"},
		re: `(?i)(?:echo(?:\s+-[neE]+)*|printf(?:\s+["']?%s(?:\\n)?["']?)?)\s+` + value + `\s*(?:>>?|\|\s*(?:sudo\s+)?tee(?:\s+-a)?)\s*["']?` +
			`[^\s|;&]*(?:secrets?|passw|passwd|password|token|credential|netrc|api_?key|pgpass)[^\s|;&/]*(?:\s|$|[;&|])`,
		keep: func(t string, s, e int) bool { return harmless(t, s, e) || commandLine(t, s, e) },
		hits: []string{`echo -n "«hush-hush»" > /run/secrets/db_password`, "printf '%s' «t0k» | sudo tee /etc/app/token"}, misses: []string{
			"echo $PW > secret.txt", "echo hello > notes.txt", "echo 'vault read -field=x y' > token.sh"},
	},
	{
		name: "chpasswd", kind: secret.Password, hints: []string{"chpasswd"},
		re:   `[\s"']["']?[a-z_][\w.-]*:([^\s"'|\x00]+)["']?\s*\|[^\n|;&]{0,40}chpasswd`,
		hits: []string{"echo 'bob:«pw»' | sudo chpasswd"}, misses: []string{"sudo chpasswd < file"},
	},
	{
		name: "here-string-secret", kind: secret.Password, hints: []string{"<<<"},
		re: `(?:--with-token|-stdin|sudo\s+-S|chpasswd|pass\s+insert|cryptsetup[^\n|;&]*|store-secret|secrets?\s+(?:put|set|create|` +
			`versions\s+add)|\blogin|unseal|kinit|passphrase-fd)\b[^\n|;&]*?<<<\s*` + value, keep: harmless,
		hits: []string{`gh auth login --with-token <<< «abc»`, `cryptsetup open /dev/sda x <<< "«k y»"`, `wrangler secret put API <<< "«wr4»"`,
			"gcloud secrets versions add db --data-file=- <<< '«g c»'"},
		misses: []string{"cat <<< hello", "sudo -S ls <<< $PW"},
	},
	{
		name: "vault-string", kind: secret.Password, hints: []string{"encrypt_string"},
		re: `\bansible-vault\s+encrypt_string(?:\s+-{1,2}[\w-]+(?:[= ]\S+)?)*?\s+` + value, keep: harmlessOrFlag,
		hits: []string{"ansible-vault encrypt_string '«s3lf»' --name x"}, misses: []string{"ansible-vault encrypt_string --stdin-name x"},
	},
	{
		name: "net-use", kind: secret.Password, hints: []string{"net use", "net user", "net1 use", "net.exe"},
		re: `(?i)\bnet1?(?:\.exe)?\s+(?:use\s+(?:(?:[a-z]:|\*)\s+)?(?:\\\\?[^\s]+\s+([^\s/*\x00][^\s\x00]*)|` +
			`(?:[^\s]+\s+)*?/user:\S+\s+([^\s/*\x00][^\s\x00]*))|user\s+[^\s/]\S*\s+([^\s/*\x00][^\s\x00]*))`, keep: harmless,
		hits: []string{`net use \\server\share /user:corp\anna «Winter2026!»`, `net use Z: \\fs1\ipc$ «Herbst#25» /user:bob`,
			"net user guest «Welc0me!» /add"},
		misses: []string{`net use Z: \\fs1\x`, "net user bob /delete", "net use", `net use \\h\x * /user:bob`, "net user"},
	},
	{
		name: "secure-string", kind: secret.Password, hints: []string{"securestring"},
		re: `(?i)\bConvertTo-SecureString\s+(?:-String\s+)?` + value, keep: harmlessOrFlag,
		hits: []string{`ConvertTo-SecureString "«Wint3r!s»" -AsPlainText -Force`}, misses: []string{
			"ConvertTo-SecureString $pw", "ConvertTo-SecureString -AsPlainText"},
	},
	{
		name: "netrc", kind: secret.Password, hints: []string{"login "},
		re: `(?:\bmachine\s+\S+|\bdefault)\s+login\s+\S+\s+password\s+` + value, keep: harmless,
		hits: []string{"machine api.example.com login anna password «n3trc»"}, misses: []string{"login page password field"},
	},
	{
		name: "pgpass", kind: secret.Password, hints: []string{":"},
		digits: 4,
		re:     `(?:^|[\s"'])(?:[A-Za-z*][\w.*-]*):(?:\d{4,5}|\*):[\w.*-]+:[\w.*-]+:([^\s:"'\x00]+)`,
		keep:   harmless,
		hits:   []string{`echo "db1:5432:app:anna:«pgpassfile1»" >> ~/.pgpass`}, misses: []string{
			"root:x:0:0:root:/root", "a:8080:b", "at 12:3040:b:c"},
	},
	{
		name: "jdbc-user", kind: secret.Password, hints: []string{"jdbc:oracle"},
		re:   `(?i)jdbc:oracle:\w+:[^/\s"']+/([^@\s"'\x00]+)@`,
		hits: []string{"jdbc:oracle:thin:scott/«tigger»@//db:1521/orcl"}, misses: []string{"jdbc:oracle:thin:@//db:1521/orcl"},
	},
	{
		name: "sql-insert", kind: secret.Password, hints: []string{"insert"},
		re:   `(?i)\binsert\s+(?:ignore\s+)?into\s+\S+\s*\([^)]*(?:passw(?:or)?d|secret|token|api_?key)[^)]*\)\s*values\s*\(([^)\x00]*)\)`,
		hits: []string{"INSERT INTO users (name, password) VALUES ('«bob', 'ins3rt»')"}, misses: []string{
			"INSERT INTO orders (id, total) VALUES (1, 2)"},
	},
	{
		name: "named-value", kind: secret.Password, hints: []string{"name", "key="},
		re: `(?i)\b(?:name|key)["']?\s*[:=]\s*["']?[\w.-]*(?:` + longNames +
			`|pass|pwd|_key|_pat)["']?\s*[,}]?\s*["']?value["']?\s*[:=][ \t]*` + loose,
		keep:   harmless,
		hits:   []string{"- name: API_KEY\n  value: «val»", `{"name":"DB_PASS","value":"«x y»"}`, `<add key="ApiSecret" value="«T-6»" />`},
		words:  []string{`{"name":"DB_KENNWORT","value":"«x y»"}`},
		misses: []string{"- name: TOKEN\n  valueFrom: x", "name: color\nvalue: red"},
	},
	{
		name: "set-call", kind: secret.Password, hints: []string{"define", "setenv", "putenv", "set(", "setitem", "setproperty", "put("},
		re: `(?i)\b(?:define|setenv|putenv|set(?:property|item)?|put)\s*\(\s*["'][\w.-]*(?:` + longNames + `|pass|pwd|_key|` +
			`_?(?:{secrets.mixed}))["']\s*,\s*` + loose,
		keep: func(t string, s, e int) bool {
			if t[s-1] == '"' || t[s-1] == '\'' {
				return harmless(t, s, e) || uiWord(t[s:e])
			}
			return t[s] == '$' || prose(t, s, e)
		},
		hits: []string{"define('AUTH_SALT', '«/x$Qr|<9 >-Rz»');",
			"define('DB_PASSWORD', '«Weizen5»');", `localStorage.setItem("token", "«t 1»")`},
		words: []string{"define('DB_PASSWORT', '«Weizen5»');"}, misses: []string{
			"define('WP_DEBUG', 'x1')", "set('password', $pw)"},
	},
	{
		name: "password-hash", kind: secret.Password, hints: []string{"$1$", "$2", "$5$", "$6$", "$y$", "$apr1$", "$argon2", "$pbkdf2"},
		re:   `(\$(?:1|2[abxy]|5|6|y|apr1|argon2id?|pbkdf2[\w-]*)\$[^\s:"',;<>\x00]{8,})`,
		hits: []string{"usermod -p '«$6$salt$hashhashhash»' anna", "anna:«$apr1$abcd$efghijkl.mno»"}, misses: []string{
			"echo $1 $2", "awk '{print $1$2}'"},
	},
	{
		name: "age-key", kind: secret.PrivateKey, hints: []string{"age-secret-key"},
		re:   `(?i)\bAGE-SECRET-KEY-1[A-Z0-9]{16,}`,
		hits: []string{"SOPS_AGE_KEY=«AGE-SECRET-KEY-1QYQSZQGPQYQSZQGP»"}, misses: []string{"AGE-SECRET-KEY-1 begins one"},
	},
	{
		name: "extended-key", kind: secret.PrivateKey, hints: []string{"prv"},
		re:   `\b[xyztuv]prv[1-9A-HJ-NP-Za-km-z]{50,120}\b`,
		hits: []string{"import «xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvv»"}, misses: []string{"xprv keys"},
	},
}
