package redact

import "strings"

// programRules know where certain programs take a secret on their command line.
var programRules = []rule{
	{
		name: "attached-p", kind: Password, hints: []string{"mysql", "mariadb", "mycli", "7z", "rar", "sshpass"},
		re:     `\b(?:mysql[\w-]*|mariadb[\w-]*|mycli|7z[ar]?|rar|sshpass)` + rest + `\s-h?p` + value,
		keep:   harmless,
		hits:   []string{"mysql -u root -p«S3cret» shop", "mysqldump -p'«a b»' shop > x.sql", "7z a -p«zip» o.7z d", "sshpass -p«pw» ssh h"},
		misses: []string{"mysql -u root -p shop", "mysql -p$PW shop", "mysql --port 3306"},
	},
	{
		name: "separate-p", kind: Password, hints: []string{"sshpass", "login", "mongo", "twine", "mosquitto", "docker", "podman", "skopeo", "useradd", "usermod", "xfreerdp", "mycli"},
		re:     `\b(?:sshpass|mongo(?:sh|dump|restore|export|import)?|twine|mosquitto_\w+|(?:docker|podman|nerdctl|helm|skopeo|az|oc|buildah|argocd|cf|ibmcloud|registry)\b[^\n|;&]*?\blogin|useradd|usermod)` + rest + `\s-p[ =]` + value,
		keep:   func(t string, s, e int) bool { return harmless(t, s, e) || t[s] == '-' },
		hits:   []string{"sshpass -p «pw» ssh h", "docker login -u bob -p «x» r.example", "mongosh -u a -p «b» db", "helm registry login h -u a -p «b»"},
		misses: []string{"docker run -p 8080:80 x", "mongod -p 1", "mongosh -u a -p --quiet"},
	},
	{
		name: "capital-p", kind: Password, hints: []string{"zip", "sqlcmd", "bcp", "ipmitool", "mosquitto_"},
		re:   `\b(?:zip|unzip|sqlcmd|bcp|ipmitool|mosquitto_\w+)` + rest + `\s-P[ ]?` + value,
		keep: harmless,
		hits: []string{"unzip -P «x» a.zip", "sqlcmd -S h -U sa -P «Pw1»"}, misses: []string{"unzip -p a.zip f"},
	},
	{
		name: "user-colon-password", kind: Password, hints: []string{"curl", "http", "xh", "wget", "--user", "proxy-user"},
		re:     `\b(?:curl|https?|xh|wget|lftp|siege|ab)` + rest + `\s(?:-[a-zA-Z]*[uUaA]|--user|--proxy-user|--auth)[ =]?(?:"[^\s:"\x00]*:([^"\x00]+)"|'[^\s:'\x00]*:([^'\x00]+)'|[^\s:"'\x00/]*:([^\s"'\x00|;&<>]+))`,
		keep:   func(t string, s, e int) bool { return harmless(t, s, e) || strings.HasPrefix(t[s:e], "//") },
		hits:   []string{"curl -u bob:«pw» https://h/", "curl -sSu 'bob:«p w»' h", "curl --user bob:«x» h", "http -a bob:«x» :8000", "curl --proxy-user a:«b» h", "curl -ubob:«z» h"},
		misses: []string{"curl -u bob h", "curl -u $U:$P h", "curl -A agent http://h:80/"},
	},
	{
		name: "cookie-flag", kind: Cookie, hints: []string{"curl", "cookie"},
		re:   `\bcurl` + rest + `\s(?:-b|--cookie)[ =]?(?:"([^"\x00]*=[^"\x00]*)"|'([^'\x00]*=[^'\x00]*)'|([^\s"'\x00=]+=[^\s"'\x00]+))`,
		hits: []string{"curl -b «sid=abc» h", `curl --cookie "«a=b; c=d»" h`}, misses: []string{"curl -b jar.txt h"},
	},
	{
		name: "short-secret-flag", kind: Password, hints: []string{"redis-cli", "ldap", "security", "snmp"},
		re:   `\b(?:redis-cli` + rest + `\s-a|ldap(?:search|modify|add|passwd|whoami|delete)` + rest + `\s-[wsxyD]*w|security\s+add-` + rest + `\s-w|snmp\w+` + rest + `\s-[AXc])[ ]?` + value,
		keep: harmless,
		hits: []string{"redis-cli -h c -a «pw» ping", "ldapsearch -x -D cn=a -w «pw» -b dc=x", "snmpwalk -v2c -c «community» h"}, misses: []string{"redis-cli -h c ping", "ldapsearch -x -W"},
	},
	{
		name: "slash-p", kind: Password, hints: []string{"/p:", "/pass:", "/password:"},
		re: `(?i)\s/p(?:ass(?:word)?)?:` + value, keep: harmless,
		hits: []string{"xfreerdp /u:bob /p:«pw» /v:h"}, misses: []string{"msbuild /p:$X a.sln", "ls /p/x"},
	},
	{
		name: "openssl-pass", kind: Password, hints: []string{"pass:"},
		re: `\bpass:` + value, keep: harmless,
		hits: []string{"openssl rsa -in k -passin pass:«x»"}, misses: []string{"openssl rsa -passin env:PW"},
	},
	{
		name: "smb-percent", kind: Password, hints: []string{"smbclient", "rpcclient", "mount.cifs", "net "},
		re:   `\b(?:smbclient|rpcclient|smbget|net)` + rest + `\s-U[ ]?["']?[^\s%"'\x00]+%([^\s"'\x00]+)`,
		hits: []string{"smbclient //h/s -U bob%«pw»"}, misses: []string{"smbclient //h/s -U bob"},
	},
	{
		name: "sqlplus", kind: Password, hints: []string{"sqlplus", "sqlldr", "expdp", "impdp"},
		re:   `\b(?:sqlplus|sqlldr|expdp|impdp)` + rest + `\s[A-Za-z][\w$]*/([^\s@"'\x00/]+)(?:@|\s|$)`,
		hits: []string{"sqlplus scott/«tiger»@orcl"}, misses: []string{"sqlplus /nolog"},
	},
	{
		name: "piped-secret", kind: Password, hints: []string{"--stdin", "-stdin", "sudo -s", "--with-token", "chpasswd", "smbpasswd", "cryptsetup", "secret"},
		re:   `(?i)(?:echo(?:\s+-[neE]+)*|printf(?:\s+["']?%s(?:\\n)?["']?)?)\s+` + value + `\s*\|\s*(?:sudo\s+-S|(?:sudo\s+)?(?:passwd\s+--stdin|smbpasswd|cryptsetup)|\S+[^\n|;&]*?(?:--password-stdin|--with-token|secrets?\s+(?:set|create|put)))`,
		keep: harmless,
		hits: []string{"echo «pw» | sudo -S apt update", "echo '«p w»' | docker login --password-stdin -u a", "printf '%s' «x» | gh auth login --with-token"}, misses: []string{"echo $PW | sudo -S ls", "echo hello | wc -c"},
	},
	{
		name: "chpasswd", kind: Password, hints: []string{"chpasswd"},
		re:   `[\s"']["']?[a-z_][\w.-]*:([^\s"'|\x00]+)["']?\s*(?:\||<<<)?.*chpasswd`,
		hits: []string{"echo 'bob:«pw»' | sudo chpasswd"}, misses: []string{"sudo chpasswd < file"},
	},
	{
		name: "here-string-secret", kind: Password, hints: []string{"<<<"},
		re: `(?:--with-token|-stdin|sudo\s+-S|chpasswd|pass\s+insert|cryptsetup[^\n|;&]*)\b[^\n|;&]*?<<<\s*` + value, keep: harmless,
		hits: []string{`gh auth login --with-token <<< «abc»`, `cryptsetup open /dev/sda x <<< "«k y»"`}, misses: []string{"cat <<< hello", "sudo -S ls <<< $PW"},
	},
	{
		name: "positional-secret", kind: Password, hints: []string{"htpasswd", "wpa_passphrase", "vault login", "add_user", "change_password", "nmcli", "alias set", "-password", "ssh-keygen"},
		re:     `\b(?:htpasswd\s+-[a-zA-Z]*n[a-zA-Z]*\s+[^\s-]\S*\s+|htpasswd\s+-[a-zA-Z]*b[a-zA-Z]*\s+[^\s-]\S*\s+\S+\s+|wpa_passphrase\s+(?:"[^"]*"|\S+)\s+|vault\s+login\s+|rabbitmqctl\s+(?:add_user|change_password)\s+\S+\s+|nmcli\b[^\n|;&]*?\spassword\s+|grafana-cli\b[^\n|;&]*?\sreset-admin-password\s+|ssh-keygen\b[^\n|;&]*?\s-[NP]\s+|mc\s+alias\s+set\s+\S+\s+\S+\s+\S+\s+)` + value,
		keep:   func(t string, s, e int) bool { return harmless(t, s, e) || t[s] == '-' },
		hits:   []string{"htpasswd -bc .htpasswd bob «pw»", "htpasswd -nb bob «pw»", "wpa_passphrase home «passphrase»", "vault login «s.abc»", "nmcli dev wifi connect home password «x1»", "mc alias set m http://h AK «SK»"},
		misses: []string{"ssh-keygen -t ed25519 -N '' -f k", "vault login -method=oidc", "htpasswd -c f bob"},
	},
	{
		name: "config-set", kind: AccessKey, hints: []string{"set", "config"},
		re:     `(?i)\b(?:set(?:x|env|\s+-[a-z]+)?|config(?:ure)?(?:\s+--?\w+)*(?:\s+set|\s+add)?)\s+["']?[\w./:@-]*(?:` + longNames + `|_auth|authtoken|pass|passwd)["']?[ \t]+` + value,
		keep:   func(t string, s, e int) bool { return harmlessOrPath(t, s, e) || t[s] == '-' },
		hits:   []string{"aws configure set aws_secret_access_key «abc»", "npm config set //r.example/:_authToken «t»", "set -gx API_TOKEN «abc»", "git config --global github.token «x»", "setx DB_PASSWORD «y»"},
		misses: []string{"aws configure set region eu-west-1", "set -o pipefail", "git config --global user.name bob"},
	},
	{
		name: "secret-set", kind: AccessKey, hints: []string{"secret", "config:set"},
		re:     `\b(?:gh\s+secret\s+set|heroku\s+config:set|(?:fly|flyctl|doppler|wrangler|supabase|eas|kubectl\s+create)\s+secrets?\b)` + rest + `(?:\s(?:-b|--body|--value)[ =]|\s(?:--from-literal=)?[A-Za-z_][\w.-]*=)` + value,
		keep:   harmless,
		hits:   []string{"gh secret set TOKEN -b «abc»", "heroku config:set A=«b»", "fly secrets set DB=«x»", "kubectl create secret generic s --from-literal=user=«u»"},
		misses: []string{"gh secret list", "kubectl get secret s"},
	},
	{
		name: "container-env", kind: Env, hints: []string{"-e", "--env", "--build-arg"},
		re:   `\b(?:docker|podman|nerdctl|docker-compose|kubectl|oc|lxc|buildah|ansible[\w-]*|flatpak|systemd-run)` + rest + `\s(?:-e|--env|--build-arg|--setenv|-E)[ =]?["']?[A-Za-z_]\w*=` + value,
		keep: harmless,
		hits: []string{"docker run -e POSTGRES_PASSWORD=«x» postgres", "docker run --env MODE=«fast» img", "ansible-playbook -e user_pw=«a» p.yml"}, misses: []string{"docker run -e HOME img", "docker run -e A=$A img", "grep -e A=b f"},
	},
}
