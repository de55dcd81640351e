import { expect, it } from "vitest";
import { wrongs } from "./styles.mjs";

const card = [
  "src/features/skills/Card.module.css",
  "@layer features {\n.card { margin: .5rem; }\n.card:global(.row) > .go { color: red; }\n}\n",
];
const uses = (more = "") => [
  "src/features/skills/Card.tsx",
  `import css from "./Card.module.css";\nexport const C = () => <b className={css.card}><i className={css.go} />${more}</b>;\n`,
];

it("finds nothing wrong with styles that live with their component", () => {
  expect(wrongs([card, uses()])).toEqual([]);
  expect(wrongs([["src/styles/base.css", "a { color: red; }"]])).toEqual([]);
});

it("finds a class that is not there, and one that nobody takes", () => {
  expect(wrongs([card, uses("<u className={css.gone} />")])).toEqual([
    "src/features/skills/Card.tsx: src/features/skills/Card.module.css has no .gone",
  ]);
  expect(wrongs([card])).toHaveLength(2);
});

it("finds a global style sheet, a module without its layer, one of another feature, and two of one name", () => {
  const found = wrongs([
    card,
    uses(),
    ["src/features/runs/all.css", "@layer features {\n.a {}\n}\n"],
    ["src/ui/plain.module.css", ":global(.x) { color: red; }"],
    ["src/ui/Card.module.css", "@layer ui {\n}\n"],
    ["src/features/runs/R.tsx", 'import cardCss from "../skills/Card.module.css";\nexport const x = cardCss.card;\n'],
  ]);
  expect(found.map((f) => f.split(":")[0])).toEqual([
    "src/features/runs/all.css",
    "src/ui/plain.module.css",
    "src/ui/Card.module.css",
    "src/features/runs/R.tsx",
    "src/features/runs/all.css",
  ]);
});
