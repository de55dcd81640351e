package scan

import (
	"showhow/internal/lazyre"
	"strings"
)

var packageManagers = words("pip pip3 pipx uv poetry npm pnpm yarn npx bunx pnpx uvx cargo gem go brew conda mamba easy_install " +
	"luarocks apt apt-get dnf yum pacman apk snap clawhub")

// popular packages are what slips imitate. All of them are long enough that one slip says something.
var popular = strings.Fields(`requests numpy pandas scipy matplotlib django flask fastapi sqlalchemy urllib3 certifi setuptools ` +
	`cryptography boto3 botocore pillow pyyaml jinja2 selenium beautifulsoup4 scikit-learn tensorflow transformers openai anthropic ` +
	`langchain pytest pydantic
	httpx aiohttp paramiko psycopg2 redis celery playwright python-dateutil colorama tqdm rich click black openpyxl python-docx ` +
	`python-pptx reportlab pdfplumber pypdf pytesseract opencv-python torchvision huggingface-hub tiktoken virtualenv gunicorn uvicorn ` +
	`starlette markdown
	express lodash react react-dom axios chalk commander typescript webpack eslint prettier dotenv mongoose next vue angular jquery moment ` +
	`underscore nodemon cross-env puppeteer playwright socket.io jsonwebtoken bcrypt uuid yargs inquirer babel-core vite rollup tailwindcss
	electron discord.js telegraf node-fetch cheerio sharp openclaw clawhub mcporter anthropic-sdk body-parser passport request async ` +
	`bluebird rimraf esbuild postcss zod prisma`)

var knownPackage = words(strings.Join(popular, " "), `request requests2 panda react-dom preact reacts urllib flasks asyncpg asyncio `+
	`aioredis pylint mocha rich-click ruff mypy attrs httpie httptools yaml click-log pytest-cov tqdm chalk-cli next-auth vuex vite-node `+
	`markdownify markdown2 uuidv4 uuid4 redis-py colors color colorma-x typer tox sharp-cli dotenvx express-session moments lodash-es `+
	`underscores`)

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
		if near(n, p) && !plural(n, p) || latin(n) == p && n != p || digits(n) == p ||
			strings.ReplaceAll(plain, "-", "") == strings.ReplaceAll(p, "-", "") && len(p) > 6 && plain != p || doubled(n, p) {
			return p
		}
	}
	return ""
}

func plural(a, b string) bool {
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
	s.u.f.uses.tools["install"] = true
	verb := ""
	for i := 0; i < len(args); i++ {
		t := args[i].text
		flag, value, glued := strings.Cut(t, "=")
		if contains([]string{"--index-url", "-i", "--extra-index-url", "--registry", "--find-links", "-f", "--index"}, flag) &&
			(glued || i+1 < len(args)) && name != "apt" && name != "apt-get" && !(flag == "-f" && !strings.HasPrefix(name, "pip")) &&
			!(flag == "-i" && !strings.HasPrefix(name, "pip") && name != "uv") {
			if !glued {
				i++
				value = args[i].text
			}
			s.packageFrom(value, line)
			continue
		}
		if flag == "--trusted-host" || t == "--allow-unauthenticated" || t == "--break-system-packages" {
			if flag == "--trusted-host" {
				s.add("package-source", line, with{meaning: "The check of the package index is switched off."})
			}
			continue
		}
		if strings.HasPrefix(t, "-") {
			if contains([]string{"-r", "--requirement", "-c", "-e", "--editable", "-g", "--prefix", "--target", "-t"}, t) && t != "-g" && t != "-e" {
				i++
			}
			continue
		}
		if verb == "" && name != "npx" && name != "uvx" && name != "bunx" && name != "pnpx" {
			verb = t
			continue
		}
		if strings.Contains(t, "://") || strings.HasPrefix(t, "git+") || strings.HasPrefix(t, "git@") || strings.HasPrefix(t, "github:") {
			s.packageFrom(t, line)
			continue
		}
		if contains([]string{"install", "add", "i", "pip", "get", "tool", "run", "exec", "dlx", "global", "create", "x"}, t) &&
			verb != "install" {
			continue
		}
		if name == "npx" || name == "uvx" || name == "bunx" ||
			contains([]string{"install", "add", "i", "pip", "get", "tool", "run", "exec", "dlx", "global"}, verb) {
			s.u.f.packageNamed(t, s.u.line+line-1, s.u.note == "" && !(s.u.place.quoted && s.u.place.cue()))
		}
		if name == "npx" || name == "uvx" || name == "bunx" {
			break
		}
	}
}

// packageFrom is a package from an address.
func (w *flow) packageFrom(u string, line int) {
	u = strings.TrimPrefix(u, "git+")
	h := hostOf(u)
	switch {
	case h == "" || local(h) || strings.ContainsAny(h, "<$"):
	case trustedHost(h) && strings.HasPrefix(u, "https"):
		w.add("package-source", line, with{severity: Low})
	case strings.HasPrefix(u, "http:") || catcher(h) != "":
		w.add("package-source", line, with{severity: High,
			meaning: "A package comes from " + short(h, 60) + ", where nobody answers for it or anybody can change it on the way."})
	default:
		w.add("package-source", line, with{severity: High, meaning: "A package comes from " + short(h, 60) + " and not from a registry."})
	}
}

// packageNamed compares a package's name with well-known ones.
func (f *file) packageNamed(spec string, line int, asIs bool) {
	m := pkgName.FindStringSubmatch(spec)
	if m == nil {
		return
	}
	name := m[1]
	if i := strings.LastIndexByte(name, '@'); i > 0 {
		name = name[:i]
	}
	if p := squatted(name); p != "" {
		sev := High
		if !asIs {
			sev = Medium
		}
		f.add("package-typosquat", line, spec, with{meaning: short(name, 60) + " is nearly " + p + ".", severity: sev})
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
			s.add("unpinned-run", line, with{})
		}
		return
	}
}

// requirements reads lists of packages.
func (f *file) requirements() {
	for i, l := range strings.Split(f.text, "\n") {
		l, _, _ = strings.Cut(l, " #")
		l = strings.TrimSpace(l)
		if l == "" || strings.HasPrefix(l, "#") {
			continue
		}
		w := &flow{world: newWorld(nil), u: &unit{f: f, line: 1}}
		switch flag, value, ok := strings.Cut(l, " "); {
		case ok && strings.HasPrefix(flag, "--") && strings.Contains(flag, "index") || flag == "-i" || flag == "--find-links":
			w.packageFrom(strings.TrimSpace(value), i+1)
		case strings.Contains(l, "://"):
			u := l[strings.Index(l, "://")-min(5, strings.Index(l, "://")):]
			w.packageFrom(strings.TrimLeft(u, "@+ "), i+1)
		case !strings.HasPrefix(l, "-"):
			l, _, _ = strings.Cut(l, ";")
			f.packageNamed(strings.ReplaceAll(l, " ", ""), i+1, true)
		}
		if i > 2000 {
			return
		}
	}
}
