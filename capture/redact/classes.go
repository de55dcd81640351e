package redact

// Class is a kind of secret or personal value that is never kept readable. The list is what Showhow declares; every
// class has an example that tests put into every place of every adapter.
type Class struct {
	Name     string
	Personal bool   // a personal identifier: sealed where the person typed it, otherwise taken out
	Example  string // « and » surround what must not survive
}

// Classes lists every declared class. Addresses of machines (IP, MAC) and names of hosts and users of remote shells
// are not included: without them a command is meaningless, and they grant no access.
var Classes = []Class{
	// Passwords on command lines.
	{"attached password", false, "mysql -u root -p«Kx-mysql-Pw-01» shop"},
	{"password flag", false, "tool --user bob --password «Kx-flag-Pw-02» push"},
	{"short password flag", false, "sshpass -p '«Kx-sshpass-03»' ssh root@h"},
	{"user and password", false, "curl -u bob:«Kx-curl-Pw-04» https://h.example/"},
	{"password in an address", false, "psql postgres://app:«Kx-url-Pw-05»@db:5432/shop"},
	{"password in an FTP address", false, "lftp ftp://bob:«Kx-ftp-Pw-06»@h.example"},
	{"database password variable", false, "PGPASSWORD=«Kx-pg-Pw-07» psql shop"},
	{"exported token", false, "export DEPLOY_TOKEN=«Kx-export-08»"},
	{"fish variable", false, "set -gx API_SECRET «Kx-fish-Sec-09»"},
	{"container environment", false, "docker run -e MODE=«Kx-env-Val-10x» img"},
	{"registry login", false, "docker login -u bob -p «Kx-docker-11» r.example"},
	{"OpenSSL pass phrase", false, "openssl rsa -in k -passin pass:«Kx-ssl-Pw-12»"},
	{"LDAP password", false, "ldapsearch -x -D cn=a -w «Kx-ldap-Pw-13» -b dc=x"},
	{"Redis password", false, "redis-cli -h c -a «Kx-redis-Pw-14» ping"},
	{"Mongo password", false, "mongosh -u root -p «Kx-mongo-Pw-15» db"},
	{"SMB password", false, "smbclient //h/s -U bob%«Kx-smb-Pw-16»"},
	{"Windows share password", false, `net use \\fs\x /user:bob «Kx-net-Pw-17!»`},
	{"archive password", false, "unzip -P «Kx-zip-Pw-18» a.zip"},
	{"htpasswd entry", false, "htpasswd -b f bob «Kx-htpw-19x»"},
	{"piped password", false, "echo «Kx-sudo-Pw-20» | sudo -S ls"},
	{"here-string secret", false, "gh auth login --with-token <<< «Kx-here-Tok-21»"},
	{"written password", false, `echo "password: «Kx-tee-Pw-22»" | tee f.yml`},
	{"SQL password", false, "psql -c \"ALTER ROLE a PASSWORD '«Kx-sql-Pw-23»'\""},
	{"Kubernetes secret", false, "kubectl create secret generic s --from-literal=k=«Kx-kube-Sec-24»"},
	{"CI secret", false, "gh secret set TOKEN -b «Kx-ci-Sec-25»"},
	{"vault entry", false, "vault kv put secret/x user=«Kx-vault-26»"},
	{"Ansible vault string", false, "ansible-vault encrypt_string '«Kx-ansible-27»' --name x"},
	{"password hash", false, "usermod -p '«$6$saltsalt$Kxhash28Kxhash28»' bob"},
	// Tokens.
	{"AWS key", false, "aws s3 ls --profile «AKIAQ3EGRZ7XKD5WYTN2»"},
	{"GitHub token", false, "t «ghp_9Xk2LmQ7rTpVw4KdNs8YzB3cF6hJ1aGe5uR9»"},
	{"GitLab token", false, "t «glpat-Zx8Qm2Lr7TpVw4KdNs9Y»"},
	{"Slack token", false, "t «xoxb-2048571938-5827364910-abcDEFghiJKLmnoPQRst9»"},
	{"Stripe key", false, "t «sk_live_51H8xYzKqLmNoPqRsTuVwXyZ»"},
	{"Google key", false, "t «AIzaSyD8kQ2mXw91LpVtRs7ZbNcYeUoTgHiJkLm»"},
	{"Twilio token", false, "TWILIO_AUTH_TOKEN=«9f8e7d6c5b4a39281706f5e4d3c2b1a0»"},
	{"npm token", false, "t «npm_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xYz»"},
	{"PyPI token", false, "t «pypi-AgEIcHlwaS5vcmcCJDAwMDAwMDAwLTAwMDAtMDAwMC0wMDAwLTAwMDAwMDAwMDAwMAACKlszLCJ»"},
	{"Heroku key", false, "HEROKU_API_KEY=«01234567-89ab-cdef-0123-456789abcdef»"},
	{"JSON web token", false, "t «eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N»"},
	{"bearer header", false, `curl -H "Authorization: Bearer «Kx-bearer-40»" u`},
	{"basic header", false, `curl -H "Authorization: Basic «a3gtYmFzaWMtNDE=»" u`},
	{"key header", false, `curl -H "X-Api-Key: «Kx-apikey-42»" u`},
	{"cookie", false, "curl -b 'sid=«Kx-cookie-43»' u"},
	{"random word", false, "use «Zx8Qm2Lr7TpVw4KdNs9Yb3»"},
	{"random hex", false, "use «9f86d081884c7d659a2feaa0c55ad015»"},
	// In addresses.
	{"token in an address", false, "https://h.example/x?access_token=«Kx-query-46»"},
	{"signed address", false, "https://b.example/o?X-Amz-Signature=«9f2c4e1a7b3d5f60Kx47»"},
	{"shared access signature", false, "https://a.blob.example/c?sp=r&sig=«Kx48a1B2c3D4e5»"},
	{"webhook address", false, "https://hooks.slack.com/services/«T02AB3CD4/B05EF6GH7/q8Zr3LxV0pWmT7sK»"},
	{"reset link", false, "https://h.example/reset-password/«Kx50aB3xQ9zz»"},
	// Keys and codes.
	{"private key", false, "-----BEGIN OPENSSH PRIVATE KEY-----\n«b3BlbnNzaC1rZXktdjEAAAAABG5vbmU51»\n-----END OPENSSH PRIVATE KEY-----"},
	{"age key", false, "«AGE-SECRET-KEY-1QYQSZQGPQYQSZQGPQYQSZQGPQYQSZQGPQYQS»"},
	{"one-time code", false, "Your verification code is «48291353»"},
	{"one-time seed", false, "otpauth://totp/A:b?secret=«JBSWY3DPEHPK3PXP»&issuer=A"},
	{"recovery codes", false, "Recovery codes: «a1b2c-d3e55»"},
	{"wallet words", false, "seed phrase: «legal winner thank year wave sausage worth useful legal winner thank yellow»"},
	{"connection string", false, "Server=h;User Id=sa;Password=«Kx-conn-57!»;Encrypt=true"},
	{"kubeconfig data", false, "client-key-data: «LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQ»"},
	{"secret in JSON", false, `{"password":"«Kx json 59»","n":1}`},
	{"told password", false, "the password is «Kx-told-60»"},
	{"Wi-Fi password", false, "WIFI:T:WPA;S:Home;P:«Kx-wifi-61»;;"},
	// Personal values.
	{"card number", false, "card «4111 1111 1111 1111» on file"},
	{"account number", true, "to «DE89 3704 0044 0532 0130 00» please"},
	{"email address", true, "write to «kx.mail64@corp.example» today"},
	{"phone number", true, "call «+49 151 2345 6765» now"},
	{"national phone number", true, "Tel. «0151 23456766»"},
	{"social security number", true, "SSN «536-22-8167»"},
	{"national identity number", true, "codice fiscale «MRTMTT91D08F205J»"},
	{"passport number", true, "Passport no. «C01X00T69»"},
}
