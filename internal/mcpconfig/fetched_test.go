package mcpconfig

import (
	"strings"
	"testing"
)

func TestPackageOf(t *testing.T) {
	for command, want := range map[string]string{
		"npx -y @scope/server-files ~/Notes":          "@scope/server-files||~/Notes",
		"npx @scope/server@1.2.3 --flag":              "@scope/server@1.2.3||--flag",
		"npx -y -p tools@^2 serve -v":                 "tools@^2|serve|-v",
		"npx --package=tools serve":                   "tools|serve|",
		"/usr/bin/npx -- server":                      "server||",
		"pnpx server":                                 "server||",
		"npx":                                         "",
		"npx -y":                                      "",
		"npx -c 'rm -rf /'":                           "",
		"npx github:someone/server":                   "",
		"npx https://example.com/server.tgz":          "",
		"npx ./server":                                "",
		"npx ../server":                               "",
		"npx server@file:../x":                        "",
		"npx -p a -p b run":                           "",
		"npx --registry=https://evil.example server":  "",
		"uvx Server_One --flag":                       "server-one||--flag",
		"uvx server@1.2.3":                            "server@1.2.3||",
		"uvx server@latest":                           "server||",
		"uvx --from tools[http]>=1.2,<2 serve -v":     "tools@>=1.2,<2|serve|-v",
		"uvx --from=tools==1 serve":                   "tools@==1|serve|",
		"pipx run server --x":                         "server||--x",
		"pipx run --spec tools serve":                 "tools|serve|",
		"pipx install server":                         "",
		"uvx --from git+https://example.com/x serve":  "",
		"uvx --index-url=https://evil.example server": "",
		"uvx --with other server":                     "",
		"uvx ./server":                                "",
		"uvx https://example.com/server.whl":          "",
		"uvx server@https://example.com/x.whl":        "",
		"bunx server":                                 "",
	} {
		w, err := PackageOf(strings.Fields(command))
		got := ""
		if err == nil {
			got = w.Name
			if w.Version != "" {
				got += "@" + w.Version
			}
			got += "|" + w.Bin + "|" + strings.Join(w.Args, " ")
		}
		if got != want {
			t.Errorf("%s: %q, want %q (%v)", command, got, want, err)
		}
	}
}
