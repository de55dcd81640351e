package danger

import (
	"slices"
	"strings"

	"showhow/internal/plain"
)

var (
	gitReads = plain.Set("status log diff show blame annotate grep ls-files ls-tree ls-remote rev-parse rev-list describe shortlog reflog " +
		"cat-file name-rev merge-base for-each-ref count-objects fsck help version whatchanged cherry range-diff diff-tree diff-index " +
		"diff-files show-ref show-branch check-ignore check-attr var get-tar-commit-id verify-commit verify-tag bugreport")
	gitWrites = plain.Set("add commit clone init mv merge rebase cherry-pick revert am apply pull fetch bisect format-patch archive " +
		"bundle notes sparse-checkout submodule config remote branch tag stash checkout switch restore reset worktree mergetool gc repack " +
		"pack-refs update-index read-tree write-tree commit-tree hash-object lfs subtree maintenance rerere flow difftool instaweb citool " +
		"gui commit-graph request-pull update-server-info")
)

func git(name string, args call, _ input, _ exists) Finding {
	for i, w := range args {
		if w.text == "-c" && i+1 < len(args) && (strings.HasPrefix(args[i+1].text, "alias.") || strings.Contains(args[i+1].text, "=!") ||
			strings.Contains(strings.ToLower(args[i+1].text), "command") || strings.HasPrefix(args[i+1].text, "core.") || !args[i+1].known) {
			return finding(Unknown, "git is told to run other programs")
		}
		if w.text != "" && w.text[0] != '-' && (i == 0 || args[i-1].text != "-c" && args[i-1].text != "-C" && args[i-1].text != "--git-dir" &&
			args[i-1].text != "--work-tree") {
			break
		}
	}
	ops := args.operands("-C -c --git-dir --work-tree --namespace")
	if len(ops) == 0 {
		return looks(name)
	}
	verb := ops.first(0)
	if verb == "" {
		return finding(Unknown, "what git is told to do is only known when it runs")
	}
	rest := args.after(verb)
	if why := gitDestroys(verb, rest); why != "" {
		out := finding(Destroys, why)
		if verb == "push" {
			out = out.and(finding(Sends, "git push reaches others"))
		}
		return out
	}
	switch {
	case verb == "push" && rest.has("-n", "--dry-run"):
		return looks(name)
	case verb == "push", verb == "send-email", verb == "send-pack", verb == "imap-send", verb == "svn" &&
		rest.first(0) == "dcommit", verb == "p4":
		return finding(Sends, "git "+verb+" reaches others")
	case (verb == "submodule" || verb == "bisect" || verb == "rebase") && (rest.index("foreach", "run") >= 0 || rest.has("-x", "--exec")):
		return finding(Unknown, "git runs other programs")
	case gitReads[verb] || gitLooks(verb, rest):
		if rest.has("--output", "--open-files-in-pager", "--ext-diff") {
			return changes(name)
		}
		return looks(name)
	case gitWrites[verb]:
		return finding(Writes, "git "+verb+" changes the repository")
	}
	return finding(Unknown, "what git does there is not known")
}

// gitDestroys says what cannot be recovered from the history.
func gitDestroys(verb string, rest call) string {
	op := rest.operands("").first(0)
	switch verb {
	case "push":
		if rest.has("-f", "--force", "--mirror", "--delete", "-d", "--prune") || slices.ContainsFunc(rest, func(w word) bool {
			return strings.HasPrefix(w.text, "--force-with-lease") || strings.HasPrefix(w.text, "+") || strings.HasPrefix(w.text, ":") &&
				len(w.text) > 1
		}) {
			return "git push overwrites or deletes what others have"
		}
	case "reset":
		if rest.has("--hard", "--merge", "--keep") {
			return "git reset --hard discards changes"
		}
	case "clean":
		if !rest.has("-n", "--dry-run") {
			return "git clean deletes files"
		}
	case "checkout", "switch":
		if rest.has("-f", "--force", "--discard-changes", "-B") || rest.index("--", ".") >= 0 || rest.has("--ours", "--theirs") {
			return "git " + verb + " discards changes"
		}
	case "restore":
		if !rest.has("--staged", "-S") || rest.has("--worktree", "-W") {
			return "git restore discards changes"
		}
	case "rm":
		if !rest.has("--cached", "-n", "--dry-run") {
			return "git rm deletes files"
		}
	case "branch":
		if rest.has("-D", "-d", "--delete", "-M") || rest.has("-f", "--force") {
			return "git branch deletes or moves a branch"
		}
	case "tag":
		if rest.has("-d", "--delete", "-f", "--force") {
			return "git tag deletes or moves a tag"
		}
	case "stash":
		if op == "drop" || op == "clear" {
			return "git stash discards changes"
		}
	case "remote":
		if op == "remove" || op == "rm" || op == "prune" {
			return "git remote removes a remote and its branches"
		}
	case "worktree":
		if op == "remove" || op == "prune" {
			return "git worktree deletes files"
		}
	case "reflog":
		if op == "expire" || op == "delete" {
			return "git reflog forgets commits"
		}
	case "gc", "prune", "repack":
		if verb == "prune" || strings.Contains(joined(rest), "--prune=") {
			return "git forgets commits"
		}
	case "update-ref":
		return "git update-ref changes references"
	case "filter-branch", "filter-repo", "replace":
		return "git rewrites the history"
	case "lfs":
		if op == "prune" {
			return "git lfs deletes files"
		}
	}
	return ""
}

// gitLooks reports whether a verb without arguments only lists.
func gitLooks(verb string, rest call) bool {
	ops := rest.operands("--format --sort --contains --merged --no-merged --points-at")
	switch verb {
	case "branch", "tag":
		return len(ops) == 0 || rest.has("--list", "-l", "--contains", "--merged", "--no-merged", "--show-current")
	case "remote":
		return len(ops) == 0 || ops.first(0) == "show" || ops.first(0) == "get-url"
	case "config":
		return rest.has("--get", "--list", "-l", "--get-all", "--get-regexp") || ops.first(0) == "list" || ops.first(0) == "get" ||
			len(ops) == 1 && strings.Contains(ops.first(0), ".") && !rest.has("--unset", "--edit", "-e")
	case "stash":
		return ops.first(0) == "list" || ops.first(0) == "show"
	case "worktree":
		return ops.first(0) == "list"
	case "submodule":
		return ops.first(0) == "status" || ops.first(0) == "summary"
	case "notes":
		return ops.first(0) == "list" || ops.first(0) == "show"
	case "bisect":
		return ops.first(0) == "log" || ops.first(0) == "view"
	case "apply":
		return rest.has("--stat", "--check", "--numstat", "--summary")
	}
	return false
}
