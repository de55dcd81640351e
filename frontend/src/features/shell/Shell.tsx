import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useLocation } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useLive } from "../../api/live";
import { inWindow, leftBehind, useLogin } from "../../api/login";
import { q } from "../../api/queries";
import { text } from "../../text/en";
import { Acting, Notices } from "../../ui/act";
import { useKeptFocus } from "../../ui/focus";
import { Icon } from "../../ui/Icon";
import { CallsThatWait, usePending } from "../connectors/AskFirst";
import { explainUnfinished } from "../learn/Unfinished";
import { imports } from "../import/queries";
import { q as inbox } from "../inbox/queries";
import { Phrase } from "../../ui/Phrase";
import { RunQuestions } from "../runs/RunQuestion";
import { Pill } from "../growth/Pill";
import { WatchBanner } from "./WatchBanner";
import css from "./Shell.module.css";
import panelCss from "../../ui/panel.module.css";

/** The frame of every view: navigation, current capture, and whether the page is up to date. */
export function Shell() {
  const login = useLogin();
  if (login !== "in") return <Door why={login} />;
  return (
    <Acting explain={explainUnfinished}>
      <Inside />
    </Acting>
  );
}

function Inside() {
  const live = useLive();
  useKeptFocus();
  return (
    <div className={css.shell}>
      <a className="skip" href="#main">
        {text.nav.skip}
      </a>
      <Nav />
      <div className="top" ref={useTop()}>
        <WatchBanner />
        <RunQuestions />
        <CallsThatWait />
        {live === "broken" && (
          <div className={panelCss.strip} role="status">
            {text.live.broken}
          </div>
        )}
        {live === "offline" && (
          <div className={panelCss.strip} role="status">
            <Phrase>{inWindow ? text.live.offlineWindow : text.live.offline}</Phrase>
          </div>
        )}
      </div>
      <main id="main" className={css.main} tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}

/** Tells the page how much of its top is taken by what stays in view, so that nothing scrolls under it. */
function useTop() {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const e = ref.current;
    if (!e || typeof ResizeObserver === "undefined") return;
    const look = new ResizeObserver(() => document.documentElement.style.setProperty("--top", `${e.offsetHeight}px`));
    look.observe(e);
    return () => look.disconnect();
  }, []);
  return ref;
}

/** The navigation entry of a view reached from another one: Learn for a draft, Active for an agent's run. */
const belongs: Record<string, string[]> = {
  "/active": ["runs"],
  "/learn": ["sessions", "review", "import", "practice"],
  "/connectors": ["connect"],
  "/settings": ["projects"],
};

function Nav() {
  const at = useLocation({ select: (l) => l.pathname.split("/")[1] ?? "" });
  const within = (to: string) => (belongs[to]?.includes(at) ? { "aria-current": "true" as const } : {});
  const { data: proposals } = useQuery(q.pending());
  const { data: imported } = useQuery(imports.every(true));
  const open =
    (proposals ?? []).filter((p) => p.proposal_state === "ready_for_review" || p.proposal_state === "awaiting_questions").length +
    (imported ?? []).filter((i) => i.stage_state === "ready_for_review").length;
  const calls = usePending().length;
  const waiting = useQuery(inbox.all()).data?.length ?? 0;
  return (
    <nav className={css.nav} data-nav aria-label={text.nav.label}>
      <Link to="/learn/new" className={css.brand}>
        <img src="/icon.svg" alt="" />
        Showhow
      </Link>
      <div>
        <h2>{text.nav.actions}</h2>
        <ul>
          <li>
            <Link to="/inbox">
              <Icon name="inbox" />
              {text.nav.inbox}
              <Count n={waiting} />
            </Link>
          </li>
          <li>
            <Link to="/active" {...within("/active")}>
              <Icon name="active" />
              {text.nav.active}
            </Link>
          </li>
          <li>
            <Link to="/notes">
              <Icon name="note" />
              {text.nav.notes}
            </Link>
          </li>
        </ul>
      </div>
      <div>
        <h2>{text.nav.abilities}</h2>
        <ul>
          <li>
            <Link to="/skills">
              <Icon name="skills" />
              {text.nav.skills}
            </Link>
          </li>
          <li>
            <Link to="/learn" {...within("/learn")}>
              <Icon name="learn" />
              {text.nav.learn}
              <Count n={open} />
            </Link>
          </li>
          <li>
            <Link to="/families">
              <Icon name="families" />
              {text.nav.families}
            </Link>
          </li>
          <li>
            <Link to="/connectors" {...within("/connectors")}>
              <Icon name="connectors" />
              {text.nav.connectors}
              <Count n={calls} />
            </Link>
          </li>
        </ul>
      </div>
      <Notices className={css.told} />
      <ul>
        <li>
          <Pill />
        </li>
        <li>
          <Link to="/trust">
            <Icon name="trust" />
            {text.nav.trust}
          </Link>
        </li>
        <li>
          <Link to="/settings" {...within("/settings")}>
            <Icon name="settings" />
            {text.nav.settings}
          </Link>
        </li>
      </ul>
    </nav>
  );
}

/** The number of items that wait behind an entry. */
const Count = ({ n }: { n: number }) =>
  n > 0 && (
    <span className={`${css.count} num`}>
      <span className="hidden">, </span>
      {n}
      <span className="hidden"> {text.nav.waiting}</span>
    </span>
  );

/** The view without a login: how to get one. */
function Door({ why }: { why: "out" | "expired" | "erased" }) {
  return (
    <main className={css.door}>
      <div>
        <img src="/icon.svg" alt="" />
        <h1>{text.door[why]}</h1>
        <p className="muted">{text.door[`${why}More`]}</p>
        {why !== "erased" && <pre>{text.door.command}</pre>}
        {why === "erased" && leftBehind().length > 0 && (
          <p className="break">
            {text.trust.stays}: {leftBehind().join(", ")}
          </p>
        )}
      </div>
    </main>
  );
}
