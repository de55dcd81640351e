package flow

import (
	"strings"

	"showhow/daemon/skill/scan/report"
	"showhow/daemon/skill/scan/source"
	"showhow/internal/lazyre"
)

var packageManagers = source.Words("pip pip3 pipx uv poetry npm pnpm yarn npx bunx pnpx uvx cargo gem go brew conda mamba easy_install " +
	"luarocks apt apt-get dnf yum pacman apk snap clawhub")

// popular packages are what slips imitate. All of them are long enough that one slip says something.
var popular = strings.Fields(`requests numpy pandas scipy matplotlib django flask fastapi sqlalchemy urllib3 certifi setuptools ` +
	`cryptography boto3 botocore ` +
	`pillow pyyaml jinja2 selenium beautifulsoup4 scikit-learn tensorflow transformers openai anthropic langchain pytest pydantic ` +
	`httpx aiohttp paramiko psycopg2 redis celery playwright python-dateutil colorama tqdm rich click black openpyxl python-docx ` +
	`python-pptx reportlab pdfplumber pypdf pytesseract opencv-python torchvision huggingface-hub tiktoken virtualenv gunicorn ` +
	`uvicorn starlette markdown express lodash react react-dom axios chalk commander typescript webpack eslint prettier dotenv ` +
	`mongoose next vue angular jquery moment underscore nodemon cross-env puppeteer playwright socket.io jsonwebtoken bcrypt uuid ` +
	`yargs inquirer babel-core vite rollup tailwindcss electron discord.js telegraf node-fetch cheerio sharp openclaw clawhub ` +
	`mcporter anthropic-sdk body-parser passport request async bluebird rimraf esbuild postcss zod prisma`)

var knownPackage = source.Words(strings.Join(popular, " "),
	`request requests2 panda react-dom preact reacts urllib flasks asyncpg asyncio aioredis pylint mocha rich-click ruff mypy `+
		`attrs httpie httptools yaml click-log pytest-cov tqdm chalk-cli next-auth vuex vite-node markdownify markdown2 uuidv4 uuid4 `+
		`redis-py colors color colorma-x typer tox sharp-cli dotenvx express-session moments lodash-es underscores openapi openapi3 `+
		`shap polars torch torchaudio keras expo chai marked redux celeryx flake8 pipx kysely colour jinja httpx2 aiohttps numpyro `+
		`pandasai scipy-stubs pandera dotenvy nextra vuepress axon axe expressive reactor typed types vitest esbuilds sharpness shape `+
		`rich-text pypdf2 pypdf4 pypdfium2 blacks flasgger flaskr fastapi-cli uvloop djangos starlite openpyxl-stubs pydantic-ai `+
		`pytest-xdist selenium4 celery-types clawdhub psycopg`)

// KnownPackage: the name is that of a package that people know.
func KnownPackage(name string) bool { return knownPackage[name] }

// imitated package: the popular name that a package's name is one slip away from.
func squatted(name string) string {
	n := strings.ToLower(strings.TrimSpace(name))
	if len(n) < 4 || knownPackage[n] {
		return ""
	}
	plain := strings.NewReplacer("_", "-", ".", "-").Replace(n)
	if knownPackage[plain] {
		return ""
	}
	for _, p := range popular {
		if len(p) < 5 {
			continue
		}
		if source.Near(n, p) && !Plural(n, p) || source.Latin(n) == p && n != p || source.Digits(n) == p ||
			strings.ReplaceAll(plain, "-", "") == strings.ReplaceAll(p, "-", "") && len(p) > 6 && plain != p || doubled(n, p) {
			return p
		}
	}
	return ""
}

func Plural(a, b string) bool {
	return (a == b+"s" || b == a+"s") && !strings.HasSuffix(a, "ss") && !strings.HasSuffix(b, "ss")
}

// doubled: python-requests-lib and requests-python are how names are borrowed with a tail that sounds official.
func doubled(n, p string) bool {
	if len(p) < 6 {
		return false
	}
	for _, tail := range []string{"-official", "-original", "-secure", "-updated", "-fixed", "-pro-max"} {
		if n == p+tail {
			return true
		}
	}
	return false
}

var pkgName = lazyre.New(`^(@?[A-Za-z0-9][\w.@/-]*?)(?:\[[^\]]*\])?(?:(?:==|>=|<=|~=|!=|@|>|<)[^/]*)?$`)

// packages judges what a package manager is told to install.
func (s *sh) packages(name string, args []arg, line int) {
	s.U.F.Uses.Tools["install"] = true
	verb := ""
	for i := 0; i < len(args); i++ {
		t := args[i].text
		flag, value, glued := strings.Cut(t, "=")
		if Contains([]string{"--index-url", "-i", "--extra-index-url", "--registry", "--find-links", "-f", "--index"}, flag) &&
			(glued || i+1 < len(args)) && name != "apt" && name != "apt-get" && !(flag == "-f" && !strings.HasPrefix(name, "pip") && name != "uv") &&
			!(flag == "-i" && !strings.HasPrefix(name, "pip") && name != "uv") {
			if !glued {
				i++
				value = args[i].text
			}
			s.packageFrom(value, line, flag == "--extra-index-url" || flag == "--find-links" || flag == "-f")
			continue
		}
		if flag == "--trusted-host" || t == "--allow-unauthenticated" || t == "--break-system-packages" {
			if flag == "--trusted-host" {
				s.add("package-source", line, report.With{Meaning: "The check of the package index is switched off."})
			}
			continue
		}
		if strings.HasPrefix(t, "-") {
			if Contains([]string{"-r", "--requirement", "-c", "-e", "--editable", "-g", "--prefix", "--target", "-t"}, t) && t != "-g" &&
				t != "-e" {
				i++
			}
			continue
		}
		if verb == "" && name != "npx" && name != "uvx" && name != "bunx" && name != "pnpx" {
			verb = t
			continue
		}
		if verb == "run" && i > 0 && !strings.HasPrefix(args[i-1].text, "-") && args[i-1].text != verb {
			break // what follows a program is the program's
		}
		if strings.Contains(t, "://") || strings.HasPrefix(t, "git+") || strings.HasPrefix(t, "git@") || strings.HasPrefix(t, "github:") {
			s.PackageFrom(t, line)
			continue
		}
		if Contains([]string{"install", "add", "i", "pip", "get", "tool", "run", "exec", "dlx", "global", "create", "x"}, t) &&
			verb != "install" {
			continue
		}
		if name == "npx" || name == "uvx" || name == "bunx" ||
			Contains([]string{"install", "add", "i", "pip", "get", "tool", "run", "exec", "dlx", "global"}, verb) {
			PackageNamed(s.U.F, t, s.U.Line+line-1, s.U.Note == "" && !(s.U.Place.Quoted && s.U.Place.Cue()))
		}
		if name == "npx" || name == "uvx" || name == "bunx" {
			break
		}
	}
}

// PackageFrom is a package from an address.
func (w *Pass) PackageFrom(u string, line int) { w.packageFrom(u, line, false) }

// packageFrom is a package from an address; beside says that the registry is asked as well, as projects that build for special machines
// want it.
func (w *Pass) packageFrom(u string, line int, beside bool) {
	u = strings.TrimPrefix(u, "git+")
	h := source.HostOf(u)
	switch {
	case h == "" || source.Local(h) || strings.ContainsAny(h, "<$"):
	case source.TrustedHost(h) && strings.HasPrefix(u, "https"):
		w.add("package-source", line, report.With{Severity: report.Low})
	case strings.HasPrefix(u, "http:") || source.Catcher(h) != "":
		w.add("package-source", line, report.With{Severity: report.High,
			Meaning: "A package comes from " + source.Short(h, 60) + ", where nobody answers for it or anybody can change it on the way."})
	default:
		sev := report.High
		if (beside || w.U.F.Named(h)) && strings.HasPrefix(u, "https:") {
			sev = report.Medium
		}
		w.add("package-source", line, report.With{Severity: sev,
			Meaning: "A package comes from " + source.Short(h, 60) + " and not from a registry."})
	}
}

// PackageNamed compares a package's name with well-known ones.
func PackageNamed(f *source.File, spec string, line int, asIs bool) {
	m := pkgName.FindStringSubmatch(spec)
	if m == nil {
		return
	}
	name := m[1]
	if i := strings.LastIndexByte(name, '@'); i > 0 {
		name = name[:i]
	}
	if p := squatted(name); p != "" {
		sev := report.High
		if !asIs {
			sev = report.Medium
		}
		f.Add("package-typosquat", line, spec, report.With{Meaning: source.Short(name, 60) + " is nearly " + p + ".", Severity: sev})
	}
}

// unpinned is npx and the like, which fetch what they run.
func (s *sh) unpinned(name string, args []arg, line int) {
	for _, a := range args {
		t := a.text
		if strings.HasPrefix(t, "-") || t == "run" || t == "install" {
			continue
		}
		at := strings.LastIndexByte(t, '@')
		if at <= 0 && !strings.Contains(t, "==") || strings.HasSuffix(t, "@latest") {
			s.add("unpinned-run", line, report.With{})
		}
		return
	}
}

// Requirements reads lists of packages.
func Requirements(f *source.File) {
	for i, l := range strings.Split(f.Text, "\n") {
		l, _, _ = strings.Cut(l, " #")
		l = strings.TrimSpace(l)
		if l == "" || strings.HasPrefix(l, "#") {
			continue
		}
		w := &Pass{World: NewWorld(nil), U: &Unit{F: f, Line: 1}}
		switch flag, value, ok := strings.Cut(l, " "); {
		case ok && strings.HasPrefix(flag, "--") && strings.Contains(flag, "index") || flag == "-i" || flag == "--find-links":
			w.PackageFrom(strings.TrimSpace(value), i+1)
		case strings.Contains(l, "://"):
			u := l[strings.Index(l, "://")-min(5, strings.Index(l, "://")):]
			w.PackageFrom(strings.TrimLeft(u, "@+ "), i+1)
		case !strings.HasPrefix(l, "-"):
			l, _, _ = strings.Cut(l, ";")
			PackageNamed(f, strings.ReplaceAll(l, " ", ""), i+1, true)
		}
		if i > 2000 {
			return
		}
	}
}
