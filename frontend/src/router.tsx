import { createRootRoute, createRoute, createRouter, redirect } from "@tanstack/react-router";
import { ActivePage } from "./features/active/ActivePage";
import { AddPage } from "./features/connectors/AddPage";
import { ConnectorPage } from "./features/connectors/ConnectorPage";
import { ConnectorsPage } from "./features/connectors/ConnectorsPage";
import { LearnPage } from "./features/learn/LearnPage";
import { InboxPage } from "./features/inbox/InboxPage";
import { ImportDetail } from "./features/import/ImportDetail";
import { ImportPage } from "./features/import/ImportPage";
import { History } from "./features/learn/History";
import { ActiveLearning, Pending } from "./features/learn/Lists";
import { NewPage } from "./features/learn/NewPage";
import { SetUpPage } from "./features/learn/SetUpPage";
import { PracticePage } from "./features/runs/PracticePage";
import { RunPage } from "./features/runs/RunPage";
import { ReviewPage } from "./features/review/ReviewPage";
import { SessionPage } from "./features/session/SessionPage";
import { SettingsPage } from "./features/settings/SettingsPage";
import { Shell } from "./features/shell/Shell";
import { SkillPage } from "./features/skills/SkillPage";
import { SkillsPage } from "./features/skills/SkillsPage";
import { TrustPage } from "./features/trust/TrustPage";
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
const session = createRoute({ getParentRoute: () => root, path: "/sessions/$id", component: SessionPage });
const review = createRoute({
  getParentRoute: () => root,
  path: "/review/$id",
  component: ReviewPage,
  validateSearch: (s: Record<string, unknown>): { view?: string } => ({ view: word(s.view) }),
});
const importing = createRoute({ getParentRoute: () => root, path: "/import", component: ImportPage });
const imported = createRoute({ getParentRoute: () => root, path: "/import/$id", component: ImportDetail });
const run = createRoute({ getParentRoute: () => root, path: "/runs/$id", component: RunPage });
const practice = createRoute({ getParentRoute: () => root, path: "/practice/$id", component: PracticePage });
const inbox = createRoute({ getParentRoute: () => root, path: "/inbox", component: InboxPage });
const active = createRoute({ getParentRoute: () => root, path: "/active", component: ActivePage });
const skills = createRoute({ getParentRoute: () => root, path: "/skills", component: SkillsPage });
const skill = createRoute({ getParentRoute: () => root, path: "/skills/$id", component: SkillPage });
const connectors = createRoute({ getParentRoute: () => root, path: "/connectors", component: ConnectorsPage });
const connect = createRoute({ getParentRoute: () => root, path: "/connect", component: AddPage });
const connector = createRoute({ getParentRoute: () => root, path: "/connectors/$id", component: ConnectorPage });
const trust = createRoute({ getParentRoute: () => root, path: "/trust", component: TrustPage });
const settings = createRoute({ getParentRoute: () => root, path: "/settings", component: SettingsPage });

const tree = root.addChildren([
  to("/", "/learn/new"),
  to("/index.html", "/learn/new"),
  learn.addChildren([learnIndex, learnNew, learnActive, learnPending, learnHistory]),
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
  connector,
  trust,
  settings,
]);

export const router = createRouter({
  routeTree: tree,
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
