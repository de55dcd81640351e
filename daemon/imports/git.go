package imports

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/go-git/go-billy/v5/osfs"
	git "github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/config"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/plumbing/transport/client"
	githttp "github.com/go-git/go-git/v5/plumbing/transport/http"
	"github.com/go-git/go-git/v5/storage/filesystem"

	"showhow/daemon/skill"
	"showhow/daemon/skill/archive"
	"showhow/internal/fault"
	"showhow/internal/lazyre"
)

// A repository is fetched into its own folder as bare objects: nothing is checked out, so there are no hooks, no
// filters, no submodules and no symlinks to follow, and no program is started. The skill's files are read from the one
// commit's tree.

const (
	fetchTime   = 2 * time.Minute
	fetchBytes  = 100 << 20
	treeEntries = 50_000
)

// repository reads the skill out of a git repository and pins it to a commit.
func (s *sources) repository(ctx context.Context, r SourceRequest, p *Provenance) ([]skill.File, string, error) {
	u, err := gitURL(r.URL)
	if err != nil {
		return nil, "", err
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	repo, hash, done, err := s.fetch(ctx, u, r.Ref)
	if done != nil {
		defer done()
	}
	if err != nil {
		return nil, "", err
	}
	commit, err := repo.CommitObject(hash)
	if err != nil {
		return nil, "", gitFailed(err)
	}
	tree, err := commit.Tree()
	if err != nil {
		return nil, "", gitFailed(err)
	}
	files, err := s.treeFiles(ctx, repo, tree, r.Within)
	p.URL, p.Commit = u.String(), hash.String()
	return files, strings.TrimSuffix(path.Base(u.Path), ".git"), err
}

// gitURL checks an address: https anywhere, http on this computer only, a repository on the disk. Credentials in it
// are refused.
func gitURL(raw string) (*url.URL, error) {
	bad := func(hint string) (*url.URL, error) {
		return nil, fault.New(fault.InvalidRequest, "this is no repository that can be imported from").WithHint(hint)
	}
	u, err := url.Parse(raw)
	if err != nil || u.Opaque != "" || u.Fragment != "" || u.RawQuery != "" {
		return bad("give the address as https://HOST/PATH")
	}
	if u.User != nil {
		return bad("leave user and password out of the address; clone it yourself and import the folder")
	}
	switch u.Scheme {
	case "file":
		if u.Host != "" || !path.IsAbs(u.Path) {
			return bad("a repository on this computer is file:///PATH")
		}
	case "https":
	case "http":
		if ip := net.ParseIP(u.Hostname()); u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback()) {
			return bad("use https: http is for this computer alone")
		}
	default:
		return bad("https, http on this computer, and file are understood; clone it yourself and import the folder")
	}
	if u.Scheme != "file" && u.Hostname() == "" {
		return bad("give the address as https://HOST/PATH")
	}
	return u, nil
}

// fetch fetches the objects of one commit. done removes them; a repository on the disk is read in place.
func (s *sources) fetch(ctx context.Context, u *url.URL, ref string) (repo *git.Repository, hash plumbing.Hash, done func(), err error) {
	if u.Scheme == "file" {
		repo, err = git.PlainOpen(filepath.FromSlash(u.Path))
		if err != nil {
			return nil, hash, nil, gitFailed(err)
		}
		if ref == "" {
			ref = "HEAD"
		}
		h, err := repo.ResolveRevision(plumbing.Revision(ref))
		if err != nil {
			return nil, hash, nil, noRef(err)
		}
		return repo, *h, nil, nil
	}
	if err := os.MkdirAll(s.o.Dir, 0o700); err != nil {
		return nil, hash, nil, skill.CannotWrite(err)
	}
	dir, err := os.MkdirTemp(s.o.Dir, ".fetch-*")
	if err != nil {
		return nil, hash, nil, skill.CannotWrite(err)
	}
	done = func() { os.RemoveAll(dir) }
	installHTTP()
	store := filesystem.NewStorageWithOptions(osfs.New(dir), cache.NewObjectLRU(16*cache.MiByte),
		filesystem.Options{LargeObjectThreshold: 1 << 20})
	if repo, err = git.Init(store, nil); err != nil {
		return nil, hash, done, gitFailed(err)
	}
	remote := git.NewRemote(store, &config.RemoteConfig{Name: "origin", URLs: []string{u.String()}})
	hash, err = fetchOne(ctx, remote, repo, ref)
	return repo, hash, done, err
}

var commitForm = lazyre.New(`^[0-9a-f]{40}$`)

// fetchOne fetches the one commit that ref names, without its history if the server supports that.
func fetchOne(ctx context.Context, remote *git.Remote, repo *git.Repository, ref string) (hash plumbing.Hash, err error) {
	refs, err := remote.ListContext(ctx, &git.ListOptions{PeelingOption: git.AppendPeeled})
	if err != nil {
		return hash, gitFailed(err)
	}
	if commitForm.MatchString(ref) {
		return plumbing.NewHash(ref), fetchCommit(ctx, remote, repo, plumbing.NewHash(ref))
	}
	name, ok := named(refs, ref)
	if !ok {
		return hash, noRef(nil)
	}
	spec := config.RefSpec("+" + name.String() + ":refs/imported")
	if err := remote.FetchContext(ctx, &git.FetchOptions{RefSpecs: []config.RefSpec{spec}, Depth: 1, Tags: git.NoTags}); err != nil {
		return hash, gitFailed(err)
	}
	h, err := repo.ResolveRevision("refs/imported^{commit}")
	if err != nil {
		return hash, gitFailed(err)
	}
	return *h, nil
}

// named finds a branch or tag; "" is the server's HEAD.
func named(refs []*plumbing.Reference, ref string) (plumbing.ReferenceName, bool) {
	want := []string{"refs/heads/" + ref, "refs/tags/" + ref, ref}
	if ref == "" {
		want = []string{"HEAD"}
	}
	for _, w := range want {
		for _, r := range refs {
			if r.Name().String() == w {
				if w == "HEAD" && r.Type() == plumbing.SymbolicReference {
					return r.Target(), true
				}
				return r.Name(), true
			}
		}
	}
	return "", false
}

// fetchCommit asks for one commit by its hash; if the server refuses, it fetches the branches.
func fetchCommit(ctx context.Context, remote *git.Remote, repo *git.Repository, h plumbing.Hash) error {
	exact := config.RefSpec(h.String() + ":refs/imported")
	err := remote.FetchContext(ctx, &git.FetchOptions{RefSpecs: []config.RefSpec{exact}, Depth: 1, Tags: git.NoTags})
	if err == nil {
		return nil
	}
	err = remote.FetchContext(ctx, &git.FetchOptions{RefSpecs: []config.RefSpec{"+refs/heads/*:refs/remotes/origin/*"}, Tags: git.AllTags})
	if err != nil && !errors.Is(err, git.NoErrAlreadyUpToDate) {
		return gitFailed(err)
	}
	if _, err := repo.CommitObject(h); err != nil {
		return noRef(err)
	}
	return nil
}

func noRef(err error) error {
	return fault.Wrap(err, fault.SkillImportSourceFailed,
		"the repository has no such branch, tag or commit").WithHint("name another with --ref")
}

func gitFailed(err error) error {
	f := fault.Wrap(err, fault.SkillImportSourceFailed,
		"the repository could not be read").WithHint("check the address; it must be readable without a password")
	if errors.Is(err, errTooMuch) {
		f = fault.Wrap(err, fault.SkillImportFileTooLarge,
			"the repository is too large").WithHint("clone it yourself and import the skill's folder")
	}
	return f
}

// treeFiles reads the skill's files: it finds the folder by names alone, then reads only what lies in it.
func (s *sources) treeFiles(ctx context.Context, repo *git.Repository, tree *object.Tree, within string) ([]skill.File, error) {
	type entry struct {
		name string
		object.TreeEntry
	}
	var all []entry
	var names []string
	walk := object.NewTreeWalker(tree, true, nil)
	defer walk.Close()
	for {
		name, e, err := walk.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, gitFailed(err)
		}
		if ctx.Err() != nil {
			return nil, fault.Wrap(ctx.Err(), fault.Cancelled, "the import was cancelled")
		}
		if len(all) >= treeEntries {
			return nil, gitFailed(errTooMuch)
		}
		if e.Mode == filemode.Dir {
			continue
		}
		all, names = append(all, entry{name, e}), append(names, name)
	}
	root, err := archive.Root(names, within)
	if err != nil {
		return nil, err
	}
	c := archive.NewCollector(s.o.Limits, "the repository")
	for _, e := range all {
		if root != "" && !strings.HasPrefix(e.name, root+"/") || archive.Junk(e.name) {
			continue
		}
		mode, err := e.Mode.ToOSFileMode()
		if err != nil || e.Mode == filemode.Submodule {
			mode = os.ModeIrregular
		}
		size := int64(0)
		var blob *object.Blob
		if mode.IsRegular() {
			if blob, err = repo.BlobObject(e.Hash); err != nil {
				return nil, gitFailed(err)
			}
			size = blob.Size
		}
		if err := c.File(e.name, mode, size, func() (io.ReadCloser, error) { return blob.Reader() }); err != nil {
			return nil, err
		}
	}
	return c.Files(), nil
}

var errTooMuch = errors.New("too much")

var installOnce sync.Once

// installHTTP gives the library, once for the program, a client that enforces the limits: no other host, no downgrade
// from https, no endless response.
func installHTTP() {
	installOnce.Do(func() {
		c := githttp.NewClient(&http.Client{
			Timeout:   fetchTime,
			Transport: bounded{&http.Transport{DisableKeepAlives: true, Proxy: http.ProxyFromEnvironment, TLSHandshakeTimeout: 20 * time.Second}},
			CheckRedirect: func(r *http.Request, via []*http.Request) error {
				first := via[0].URL
				if len(via) > 3 || r.URL.Host != first.Host || r.URL.Scheme != first.Scheme {
					return errors.New("the repository is elsewhere")
				}
				return nil
			},
		})
		client.InstallProtocol("https", c)
		client.InstallProtocol("http", c)
	})
}

type bounded struct{ next http.RoundTripper }

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := b.next.RoundTrip(r)
	if err == nil {
		res.Body = &boundedBody{res.Body, fetchBytes}
	}
	return res, err
}

type boundedBody struct {
	io.ReadCloser
	left int64
}

func (b *boundedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooMuch
	}
	if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.ReadCloser.Read(p)
	b.left -= int64(n)
	return n, err
}
