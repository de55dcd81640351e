// Styles live with their component. Outside src/styles, which holds what no component owns (tokens, elements,
// layout), every style sheet is a module in its layer; every class that a component uses must exist, and every class
// that exists must be used.
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";

/** The classes that a module defines; what it names of the global ones is not its own. */
export const defined = (css) =>
  new Set(
    [
      ...css
        .replace(/\/\*[\s\S]*?\*\//g, "")
        .replace(/:global\([^)]*\)/g, "")
        .replace(/\{[^{}]*\}/g, "{}") // declarations hold numbers like .5rem
        .matchAll(/\.([a-zA-Z_][\w-]*)/g),
    ].map((m) => m[1]),
  );

/** The classes that a component takes of the modules that it imports: by name, or, where it works the name out, any of that module. */
export function taken(source) {
  const modules = [...source.matchAll(/^import (\w+) from "([^"]+\.module\.css)";$/gm)].map(([, name, path]) => ({ name, path }));
  return modules.map(({ name, path }) => ({
    path,
    classes: [...source.matchAll(new RegExp(`\\b${name}(?:\\.(\\w+)|\\["([^"]+)"\\])`, "g"))].map((m) => m[1] ?? m[2]),
    any: new RegExp(`\\b${name}\\[[^"]`).test(source),
  }));
}

/** What is wrong with the styles of these files: a path, from where the pages are, to its text. */
export function wrongs(files) {
  const out = [];
  const modules = new Map();
  const names = new Map();
  for (const [path, text] of files) {
    if (!path.endsWith(".css")) continue;
    if (dirname(path) === "src/styles") continue;
    const layer = path.split("/")[1];
    if (!path.endsWith(".module.css")) out.push(`${path}: a style sheet outside of src/styles is a module (NAME.module.css)`);
    if (!text.startsWith(`@layer ${layer} {`)) out.push(`${path}: all of it belongs into @layer ${layer}`);
    const same = names.get(basename(path));
    if (same) out.push(`${path}: its classes would have the names of those in ${same}`);
    names.set(basename(path), path);
    modules.set(path, { classes: defined(text), used: new Set(), any: false, beside: false });
  }
  for (const [path, text] of files) {
    if (!/\.tsx?$/.test(path)) continue;
    for (const use of taken(text)) {
      const module = join(dirname(path), use.path);
      const m = modules.get(module);
      if (!m) continue; // the compiler says so
      const [, place, feature] = module.split("/");
      if (place === "features" && !path.startsWith(`src/features/${feature}/`)) out.push(`${path}: ${module} is another feature's`);
      m.any ||= use.any;
      for (const c of use.classes) {
        m.used.add(c);
        if (!m.classes.has(c)) out.push(`${path}: ${module} has no .${c}`);
      }
    }
  }
  for (const [path, m] of modules) for (const c of m.classes) if (!m.any && !m.used.has(c)) out.push(`${path}: nobody takes .${c}`);
  return out;
}

/** Every file of these kinds below a folder, with its text. */
export function read(root, below = "src") {
  const all = readdirSync(join(root, below), { recursive: true, withFileTypes: true });
  return all
    .filter((e) => e.isFile() && /\.(css|tsx?)$/.test(e.name) && !e.name.endsWith(".d.ts"))
    .map((e) => join(e.parentPath, e.name))
    .map((path) => [relative(root, path), readFileSync(path, "utf8")]);
}

if (process.argv[1] === import.meta.filename) {
  const found = wrongs(read(resolve(import.meta.dirname, "..")));
  for (const f of found) console.error(f);
  process.exitCode = found.length ? 1 : 0;
}
