import { createRootRoute, createRoute, createRouter, lazyRouteComponent as load, redirect } from "@tanstack/react-router";
import { LearnPage } from "./features/learn/LearnPage";
import { InboxPage } from "./features/inbox/InboxPage";
import { History } from "./features/learn/History";
import { ActiveLearning, Pending } from "./features/learn/Lists";
import { NewPage } from "./features/learn/NewPage";
import { SetUpPage } from "./features/learn/SetUpPage";
import { Shell } from "./features/shell/Shell";
import { SkillsPage } from "./features/skills/SkillsPage";
import { text } from "./text/en";
import { Button } from "./ui/Button";
import { Empty } from "./ui/parts";

const root = createRootRoute({ component: Shell, notFoundComponent: () => <Empty title={text.errors.page} /> });
const to = (path: string, target: string) =>
  createRoute({
    getParentRoute: () => root,
    path,
    beforeLoad: () => {
      throw redirect({ to: target });
    },
  });

const learn = createRoute({ getParentRoute: () => root, path: "/learn", component: LearnPage });
const learnIndex = createRoute({
  getParentRoute: () => learn,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/learn/new" });
  },
});
const learnNew = createRoute({ getParentRoute: () => learn, path: "/new", component: NewPage });
const learnActive = createRoute({ getParentRoute: () => learn, path: "/active", component: ActiveLearning });
const learnPending = createRoute({ getParentRoute: () => learn, path: "/pending", component: Pending });
const learnMined = createRoute({
  getParentRoute: () => learn,
  path: "/mined",
  component: load(() => import("./features/growth/MinedPage"), "MinedPage"),
});
const learnHistory = createRoute({ getParentRoute: () => learn, path: "/history", component: History });

const word = (v: unknown) => (typeof v === "string" && v ? v : undefined);
const setUp = createRoute({
  getParentRoute: () => root,
  path: "/learn/new/$mode",
  component: SetUpPage,
  validateSearch: (s: Record<string, unknown>): { improves?: string; example?: string } => ({
    improves: word(s.improves),
    example: word(s.example),
  }),
});
const session = createRoute({
  getParentRoute: () => root,
  path: "/sessions/$id",
  component: load(() => import("./features/session/SessionPage"), "SessionPage"),
});
const review = createRoute({
  getParentRoute: () => root,
  path: "/review/$id",
  component: load(() => import("./features/review/ReviewPage"), "ReviewPage"),
  validateSearch: (s: Record<string, unknown>): { view?: string } => ({ view: word(s.view) }),
});
const importing = createRoute({
  getParentRoute: () => root,
  path: "/import",
  component: load(() => import("./features/import/ImportPage"), "ImportPage"),
});
const imported = createRoute({
  getParentRoute: () => root,
  path: "/import/$id",
  component: load(() => import("./features/import/ImportDetail"), "ImportDetail"),
});
const run = createRoute({
  getParentRoute: () => root,
  path: "/runs/$id",
  component: load(() => import("./features/runs/RunPage"), "RunPage"),
});
const practice = createRoute({
  getParentRoute: () => root,
  path: "/practice/$id",
  component: load(() => import("./features/runs/PracticePage"), "PracticePage"),
});
const inbox = createRoute({ getParentRoute: () => root, path: "/inbox", component: InboxPage });
const active = createRoute({
  getParentRoute: () => root,
  path: "/active",
  component: load(() => import("./features/active/ActivePage"), "ActivePage"),
});
const skills = createRoute({ getParentRoute: () => root, path: "/skills", component: SkillsPage });
const skill = createRoute({
  getParentRoute: () => root,
  path: "/skills/$id",
  component: load(() => import("./features/skills/SkillPage"), "SkillPage"),
});
const connectors = createRoute({
  getParentRoute: () => root,
  path: "/connectors",
  component: load(() => import("./features/connectors/ConnectorsPage"), "ConnectorsPage"),
});
const connect = createRoute({
  getParentRoute: () => root,
  path: "/connect",
  component: load(() => import("./features/connectors/AddPage"), "AddPage"),
});
const connectM365 = createRoute({
  getParentRoute: () => root,
  path: "/connect/m365",
  component: load(() => import("./features/connectors/M365Page"), "M365Page"),
});
const connector = createRoute({
  getParentRoute: () => root,
  path: "/connectors/$id",
  component: load(() => import("./features/connectors/ConnectorPage"), "ConnectorPage"),
});
const trust = createRoute({
  getParentRoute: () => root,
  path: "/trust",
  component: load(() => import("./features/trust/TrustPage"), "TrustPage"),
});
const projects = createRoute({
  getParentRoute: () => root,
  path: "/projects",
  component: load(() => import("./features/growth/ProjectsPage"), "ProjectsPage"),
});
const notes = createRoute({
  getParentRoute: () => root,
  path: "/notes",
  component: load(() => import("./features/notes/NotesPage"), "NotesPage"),
});
const families = createRoute({
  getParentRoute: () => root,
  path: "/families",
  component: load(() => import("./features/families/FamiliesPage"), "FamiliesPage"),
});
const health = createRoute({
  getParentRoute: () => root,
  path: "/health",
  component: load(() => import("./features/growth/HealthPage"), "HealthPage"),
});
const settings = createRoute({
  getParentRoute: () => root,
  path: "/settings",
  component: load(() => import("./features/settings/SettingsPage"), "SettingsPage"),
});

const tree = root.addChildren([
  to("/", "/learn/new"),
  to("/index.html", "/learn/new"),
  learn.addChildren([learnIndex, learnNew, learnActive, learnPending, learnMined, learnHistory]),
  setUp,
  importing,
  imported,
  session,
  review,
  run,
  practice,
  inbox,
  active,
  skills,
  skill,
  connectors,
  connect,
  connectM365,
  connector,
  trust,
  projects,
  notes,
  families,
  health,
  settings,
]);

// Views other than the first are files of their own; one is fetched when a link to it is pointed at or has the focus.
export const router = createRouter({
  routeTree: tree,
  defaultPreload: "intent",
  defaultErrorComponent: () => (
    <Empty title={text.errors.page}>
      <p>{text.errors.pageMore}</p>
      <Button look="primary" onClick={() => location.reload()}>
        {text.errors.reload}
      </Button>
    </Empty>
  ),
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
