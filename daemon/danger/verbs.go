package danger

import (
	"slices"
	"strings"

	"showhow/internal/lang"
	"showhow/internal/plain"
)

// verbTable is a program whose first operands decide. "a b" is a verb of two words and wins over "a".
type verbTable struct {
	valued string           // flags before the verb that take the next word
	of     map[Class]string // verbs, separated by commas
	dry    string           // flags with which nothing happens
	other  Class            // the class of an unlisted verb; Reads means Unknown
	none   Class            // no verb at all
}

func (v verbTable) judge(name string, args call) Finding {
	if v.dry != "" && args.has(strings.Fields(v.dry)...) {
		return finding(Reads, name+" only says what it would do")
	}
	ops := args.operands(v.valued)
	if len(ops) == 0 {
		return finding(v.none, name+" without a verb")
	}
	if !ops[0].known {
		return finding(Unknown, "what "+name+" is told to do is only known when it runs")
	}
	for _, key := range []string{ops[0].text + " " + ops.first(1), ops[0].text} {
		for c, list := range v.of {
			if slices.Contains(strings.Split(list, ", "), key) {
				return finding(c, name+" "+key+" "+deedWords[c])
			}
		}
	}
	c := v.other
	if c == Reads {
		c = Unknown
	}
	return finding(c, "what "+name+" does there is not known")
}

var deedWords = map[Class]string{
	Reads: "looks", Writes: "changes files", Unknown: "runs something that is not known", Installs: "changes what is installed",
	Sends:     "reaches others",
	Escalates: "changes how the machine runs", Destroys: "cannot be taken back",
}

var packages = map[Class]string{
	Installs: "install, reinstall, add, i, in, ci, update, upgrade, up, dist-upgrade, full-upgrade, dup, remove, rm, uninstall, un, purge, " +
		"autoremove, autopurge, clean, autoclean, get, build-dep, download, refresh, ref, si, localinstall, groupinstall, swap, switch, tap, " +
		"link, unlink, pin, hold, unhold, cleanup, bundle, sync, ensurepath, create, inject, dedupe, prune, rebuild, audit fix, set, use, " +
		"override, component add, component remove, target add, target remove, toolchain install, self update, self-update, self, tool " +
		"install, tool upgrade, lock, venv, cache clean, cache purge, require, fetch, global, local, shell",
	Reads: "list, ls, ll, search, se, show, info, view, v, policy, depends, rdepends, madison, outdated, why, explain, doctor, config " +
		"list, config get, check, check-update, home, help, version, versions, freeze, debug, audit, fund, query, leaves, deps, desc, uses, " +
		"changelog, licenses, tree, ping, whoami, which, root, prefix, bin, repolist, history, --version, active, installed, env list, diff, " +
		"pack --dry-run, python list, toolchain list, target list, component list, cat, formulae, casks, log",
	Sends:   "publish, push, unpublish, deprecate, owner, adduser, login, logout, upload, dist-tag, release, yank, access, token",
	Unknown: "run, test, t, start, stop, restart, exec, x, build, dlx, dev, serve, script, watch, lint, format, bench, doc, rebuild",
	Writes:  "init, new, pack, config, config set, version patch, version minor, version major, edit, compile, export, vendor",
}

func packageManager() verbTable {
	return verbTable{of: packages, dry: "--dry-run -s --simulate --just-print", none: Unknown}
}

// verbs are the programs whose verbs decide.
var verbs = map[string]verbTable{
	"kubectl": kube(), "oc": kube(), "k": kube(), "k3s": {of: map[Class]string{Escalates: "server, agent"}},
	"helm": {valued: "-n --namespace --kube-context", dry: "--dry-run", of: map[Class]string{
		Reads:  "list, ls, get, status, history, template, lint, show, search, version, env, repo list, dependency list",
		Writes: "create, package, repo add, repo update, repo remove, pull, dependency, plugin",
		Sends:  "install, upgrade, rollback, push, test", Destroys: "uninstall, delete, del"}},
	"terraform": infra(), "tofu": infra(), "terragrunt": infra(),
	"docker": container(), "podman": container(), "nerdctl": container(), "docker-compose": {
		valued: "-f -p --file --profile", of: map[Class]string{
			Reads: "ps, logs, config, images, top, version, ls, port, events", Installs: "up, pull, build, create, run",
			Destroys: "down, rm, kill, stop", Writes: "start, restart, pause, unpause, cp", Unknown: "exec", Sends: "push"}},
	"systemctl": {valued: "-H -M -n -o -t -p", of: map[Class]string{
		Reads: "status, show, cat, list-units, list-unit-files, list-timers, list-sockets, list-dependencies, list-jobs, is-active, " +
			"is-enabled, is-failed, is-system-running, get-default, show-environment, help",
		Escalates: "start, stop, restart, reload, try-restart, reload-or-restart, enable, disable, mask, unmask, daemon-reload, " +
			"daemon-reexec, edit, set-property, isolate, set-default, reset-failed, kill, link, preset, import-environment, set-environment, " +
			"revert, clean, freeze, thaw",
		Destroys: "poweroff, reboot, halt, kexec, suspend, hibernate, rescue, emergency, exit"}, none: Reads},
	"apt": packageManager(), "apt-get": packageManager(), "aptitude": packageManager(), "apt-cache": packageManager(),
	"apt-mark": packageManager(), "dnf": packageManager(), "yum": packageManager(), "microdnf": packageManager(), "zypper": packageManager(),
	"apk": packageManager(), "xbps-install": {other: Installs, none: Installs}, "emerge": {other: Installs, none: Installs},
	"pacman": {other: Installs, none: Installs}, "yay": {other: Installs, none: Installs}, "paru": {
		other: Installs, none: Installs}, "brew": packageManager(), "port": packageManager(), "snap": packageManager(),
	"flatpak": packageManager(), "nix": packageManager(), "nix-env": {
		other: Installs, none: Installs}, "guix": packageManager(), "choco": packageManager(), "winget": packageManager(),
	"scoop": packageManager(),
	"pip":   packageManager(), "pip3": packageManager(), "pipx": withRun(), "uv": packageManager(), "uvx": {
		other: Installs, none: Unknown}, "poetry": packageManager(), "pdm": packageManager(), "conda": packageManager(),
	"mamba": packageManager(), "pipenv": packageManager(), "easy_install": {other: Installs, none: Unknown},
	"npm": packageManager(), "yarn": {of: packages, none: Installs}, "pnpm": packageManager(), "bun": packageManager(), "npx": {
		other: Installs, none: Unknown}, "bunx": {other: Installs, none: Unknown}, "pnpx": {
		other: Installs, none: Unknown}, "corepack": packageManager(),
	"gem": packageManager(), "bundle": {of: packages, none: Installs}, "cargo": packageManager(), "rustup": packageManager(),
	"composer": packageManager(), "cpan": {other: Installs, none: Unknown}, "cpanm": {
		other: Installs, none: Unknown}, "luarocks": packageManager(), "stack": packageManager(), "cabal": packageManager(),
	"opam": packageManager(), "mix": packageManager(), "asdf": packageManager(), "mise": packageManager(), "nvm": packageManager(),
	"fnm": packageManager(), "pyenv": packageManager(), "rbenv": packageManager(), "sdk": packageManager(),
	"dpkg": {other: Installs, none: Installs}, "rpm": {other: Installs, none: Installs}, "installer": {
		other: Installs, none: Unknown}, "softwareupdate": {other: Installs, none: Unknown}, "ansible-galaxy": packageManager(),
	"go": {valued: "-C", of: map[Class]string{Reads: "version, env, list, vet, doc, help", Writes: "fmt, fix, mod, work, clean",
		Installs: "install, get, mod download, mod tidy", Unknown: "build, run, test, generate, tool"}},
	"hg": {valued: "-R --cwd", of: map[Class]string{
		Reads:  "status, st, log, diff, annotate, cat, summary, heads, branches, tags, paths, id, identify, manifest, incoming, outgoing",
		Writes: "add, commit, ci, update, up, merge, pull, clone, init, copy, move, branch, tag, bookmark, rename, import, graft",
		Sends:  "push, email", Destroys: "strip, purge, revert, remove, rm, rollback"}},
	"svn": {of: map[Class]string{
		Reads:  "status, st, stat, log, diff, di, info, list, ls, cat, blame, praise, annotate, propget, proplist",
		Writes: "add, update, up, checkout, co, switch, merge, resolve, cleanup, copy, cp, move, mv, mkdir, export",
		Sends:  "commit, ci, import, lock, unlock", Destroys: "delete, del, remove, rm, revert"}},
	"launchctl": {of: map[Class]string{Reads: "list, print, blame"}, other: Escalates}, "zfs": {
		of: map[Class]string{Reads: "list, get, diff", Destroys: "destroy, rollback", Sends: "send"}, other: Escalates}, "zpool": {
		of: map[Class]string{Reads: "list, status, iostat, get, history", Destroys: "destroy, create, labelclear"}, other: Escalates},
	"btrfs": {of: map[Class]string{Destroys: "subvolume delete, device delete, device remove",
		Reads: "subvolume list, subvolume show, filesystem show, filesystem df, filesystem usage"}, other: Escalates},
	"virsh": {of: map[Class]string{Reads: "list, dominfo, domstate, dumpxml, nodeinfo",
		Destroys: "destroy, undefine, vol-delete, pool-destroy, pool-delete"}, other: Escalates}, "vagrant": {
		of: map[Class]string{Reads: "status, global-status, box list, ssh-config, version", Destroys: "destroy, box remove",
			Installs: "up, box add, provision"}},
	"vault": {of: map[Class]string{Reads: "status, version"}, other: Sends}, "consul": {of: map[Class]string{Reads: "members, info, version"},
		other: Sends}, "nomad": {of: map[Class]string{Reads: "status, version, node status, job status"}, other: Sends}, "s3cmd": {
		of: map[Class]string{Reads: "ls, la, info, du, get", Destroys: "del, rm, rb, sync"}, other: Sends}, "gsutil": {
		of: map[Class]string{Reads: "ls, cat, du, stat, version", Destroys: "rm, rb"}, other: Sends}, "mc": {
		of: map[Class]string{Reads: "ls, cat, stat, du, tree", Destroys: "rm, rb"}, other: Sends},
	"op": {of: map[Class]string{Reads: "whoami"}, other: Unknown}, "pass": {
		of: map[Class]string{Reads: "ls, show, find, grep", Writes: "insert, edit, generate, cp, mv, init", Destroys: "rm, remove, delete",
			Sends: "git"}, other: Unknown, none: Reads}, "ollama": {
		of: map[Class]string{Reads: "list, ls, ps, show", Installs: "pull", Destroys: "rm", Sends: "push"}},
	"showhow": {of: map[Class]string{Reads: "status, doctor, version, history, receipts, pdf text, pdf value, pdf tables, pdf ocr"}},
}

func kube() verbTable {
	return verbTable{valued: "-n --namespace --context --kubeconfig --cluster --user -s --server", dry: "--dry-run", of: map[Class]string{
		Reads: "get, describe, logs, top, explain, api-resources, api-versions, version, cluster-info, diff, auth can-i, auth whoami, " +
			"config view, config get-contexts, config current-context, events, wait, rollout status, rollout history, options, help, completion, " +
			"kustomize",
		Writes: "config, config use-context, config set-context, port-forward, proxy",
		Sends: "apply, create, patch, edit, scale, rollout, label, annotate, set, expose, autoscale, run, cp, exec, attach, debug, cordon, " +
			"uncordon, taint, certificate, adm, new-app, new-project, login",
		Destroys: "delete, drain, replace, evict, delete-project"}}
}

func infra() verbTable {
	return verbTable{valued: "-chdir", of: map[Class]string{
		Reads:  "plan, show, output, validate, version, providers, graph, state list, state show, workspace list, workspace show, console",
		Writes: "fmt, workspace select, workspace new, get", Installs: "init",
		Sends: "apply, import, refresh, taint, untaint, push", Destroys: "destroy, state rm, state push, workspace delete, force-unlock"}}
}

func container() verbTable {
	return verbTable{valued: "-H --host -c --context -l --log-level", of: map[Class]string{
		Reads: "ps, images, logs, inspect, version, info, stats, top, port, diff, history, search, events, container ls, container list, " +
			"container inspect, container logs, image ls, image list, image inspect, image history, volume ls, volume inspect, network ls, " +
			"network inspect, system df, system info, context ls, compose ps, compose logs, compose config, compose images, compose top, compose " +
			"ls, manifest inspect, wait, buildx ls, node ls, service ls, stack ls",
		Writes: "cp, start, restart, pause, unpause, tag, commit, save, export, rename, update, volume create, network create, network " +
			"connect, context use, compose start, compose restart, unshare, container start",
		Installs: "pull, build, run, create, load, import, image pull, image build, container run, container create, buildx build, compose " +
			"up, compose pull, compose build, compose run, compose create, plugin install",
		Unknown: "exec, attach, container exec, compose exec",
		Sends:   "push, image push, login, logout, compose push, stack deploy, service create, service update, service scale, swarm, trust",
		Destroys: "rm, rmi, kill, stop, container rm, container stop, container kill, container prune, image rm, image prune, volume rm, " +
			"volume prune, network rm, network prune, network disconnect, system prune, builder prune, buildx prune, compose down, compose rm, " +
			"compose kill, compose stop, stack rm, service rm, secret rm, config rm"}}
}

func withRun() verbTable {
	v := packageManager()
	v.other = Unknown
	return v
}

// cloud judges the command lines of hosting companies: the verb is the last word before the flags.
func cloud(name string, args call, _ input, _ exists) Finding {
	return cloudVerb(name,
		args.operands("--project --region --zone --subscription --resource-group -g -n --name --output -o --query --profile"))
}

func aws(name string, args call, _ input, _ exists) Finding {
	ops := args.operands("--profile --region --output --query --endpoint-url")
	if ops.first(0) == "s3" {
		switch ops.first(1) {
		case "ls", "presign":
			return looks(name)
		case "rm", "rb", "mv":
			return finding(Destroys, "aws s3 deletes files")
		case "sync", "cp":
			if args.has("--dryrun") {
				return looks(name)
			}
			if args.has("--delete") {
				return finding(Destroys, "aws s3 deletes files")
			}
			if to := ops.first(3); to != "" && !strings.HasPrefix(to, "s3:") {
				return changes(name)
			}
		}
		return finding(Sends, "aws s3 changes files elsewhere")
	}
	if len(ops) > 2 {
		ops = ops[:2]
	}
	return cloudVerb(name, ops)
}

var (
	cloudReads = lang.English("cloud.reading")
	cloudGone  = lang.English("cloud.destroying")
)

func cloudVerb(name string, ops call) Finding {
	if len(ops) == 0 {
		return finding(Reads, name+" says how it is used")
	}
	reads := false
	for _, w := range ops {
		if !w.known {
			return finding(Unknown, "what "+name+" is told to do is only known when it runs")
		}
		verb, _, _ := strings.Cut(w.text, "-")
		if cloudGone.Has(verb) || cloudGone.Has(w.text) {
			return finding(Destroys, name+" deletes or ends something that others use")
		}
		reads = reads || cloudReads.Has(verb) || cloudReads.Has(w.text)
	}
	if reads {
		return looks(name)
	}
	return finding(Sends, name+" changes something that others use")
}

func gh(name string, args call, _ input, _ exists) Finding {
	ops := args.operands("-R --repo -X --method -f -F --field --raw-field -H --header -q --jq -t --template -b --body --title --json -L " +
		"--limit -s --state -l --label -a --assignee")
	noun, verb := ops.first(0), ops.first(1)
	if noun == "api" {
		method, _ := args.value("-X", "--method")
		if method == "" {
			method = "GET"
			if args.has("-f", "-F", "--field", "--raw-field", "--input") {
				method = "POST"
			}
		}
		data, _ := args.value("-f", "--raw-field")
		if verb == "graphql" {
			if q, ok := strings.CutPrefix(data, "query="); ok && !strings.Contains(q, "mutation") {
				return looks(name)
			}
		}
		u := word{text: "https://api/" + verb, known: true}
		return overNetwork(name, strings.ToUpper(method), u, "")
	}
	switch {
	case plain.Set("status browse version help search completion")[noun]:
		return looks(name)
	case plain.Set("list ls view status diff checks watch show")[verb]:
		return looks(name)
	case plain.Set("checkout clone download co set-default")[verb]:
		return changes(name)
	case plain.Set("delete remove rm archive")[verb]:
		return finding(Destroys, name+" deletes something that others use")
	case noun == "extension":
		return finding(Installs, name+" extension installs programs")
	case noun == "alias" || noun == "config":
		return changes(name)
	}
	return finding(Sends, name+" changes something that others see")
}

// KnownVerb reports whether a word is a verb of a program, as "commit" is of git, rather than a person's confirmation.
func KnownVerb(program, word string) bool {
	if program == "git" {
		return gitReads[word] || gitWrites[word] || word == "push"
	}
	for _, list := range verbs[program].of {
		if slices.Contains(strings.Split(list, ", "), word) {
			return true
		}
	}
	return false
}
