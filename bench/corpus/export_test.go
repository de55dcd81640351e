package corpus

import (
	"os"
	"path/filepath"
	"testing"

	"showhow/browser"
	"showhow/daemon/interchange"
)

// schemas makes the packages that define the formats read every file of a folder: a recording by its schema, an
// action's selector by the player's own grammar, in one browser. They play what daemon/interchange has written.
const schemas = `import { parse } from '@puppeteer/replay'; import { chromium } from 'playwright-core'; import { readdirSync, ` +
	`readFileSync } from 'node:fs'; import { join } from 'node:path';
const [all, executablePath] = process.argv.slice(2); let bad = 0;
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'], headless: true });
const page = await browser.newPage();
for (const f of readdirSync(all)) {
  const text = readFileSync(join(all, f), 'utf8');
  try {
    if (f.endsWith('.json')) parse(JSON.parse(text));
    else for (const line of text.trim().split(String.fromCharCode(10)).slice(1).map((l) => JSON.parse(l))) { if (!line.name) throw new ` +
	`Error('no name'); if (line.selector) await page.locator(line.selector).count(); }
  } catch (e) { console.log(f + ': ' + e.message); bad = 1; }
}
await browser.close();
process.exit(bad);`

// Exports of the corpus's browser skills are readable for other players and for Showhow.
func TestExports(t *testing.T) {
	all := t.TempDir()
	for _, f := range All() {
		if f.Held || f.App == "" {
			continue
		}
		tr, err := ReadTrace(filepath.Join(TraceDir, f.Name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		out := compiled(t, tr)
		for _, format := range []string{interchange.DevTools, interchange.Playwright} {
			file, err := interchange.Write(format, out.Title, out.Slug, out.Graph, tr.Demonstrations[0].Entered)
			if err != nil && len(out.RequiredSites) == 0 {
				continue // done by commands alone
			}
			if err != nil {
				t.Fatalf("%s: %v", f.Name, err)
			}
			again, err := interchange.Parse([]byte(file.Content), out.Interpretation.CreatedAt.Time)
			if err != nil || len(again.Observations) == 0 {
				t.Errorf("%s as %s is not read again: %v", f.Name, format, err)
			}
			if err := os.WriteFile(filepath.Join(all, file.FileName), []byte(file.Content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	modules := validator(t)
	if modules == "" {
		return
	}
	chromium, err := browser.Find()
	if err != nil {
		t.Skip("Chromium is not installed")
	}
	if out, err := asJudge(t, modules, schemas, all, chromium); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
