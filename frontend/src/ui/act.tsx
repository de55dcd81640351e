// Actions: one hook that performs an action, shows what went wrong, and asks for a person's confirmation if the
// daemon requires one.
//
// The confirmation is a code that the daemon itself writes to the terminal where `showhow open` was called
// (daemon/api/presence.go), or, in the window, a yes in a dialog of its own (app/desktop), or a yes in the tray, for
// which the page then has a ticket. It is bound to the action, the subject, its revision and its content, so what is
// confirmed is what was shown.
import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { ApiError, api, body, once } from "../api/client";
import { text } from "../text/en";
import { Box } from "./Box";
import { Button, button } from "./Button";
import { Wrong } from "./parts";
import css from "./act.module.css";
import fieldCss from "./field.module.css";

type Headers = Record<string, string>;
type Deed<T> = (confirmed: Headers) => Promise<T>;

interface Asked {
  what: string;
  id: string;
  question?: string; // what the terminal, the tray and the window ask too, word for word
  about?: string[];
  typed: boolean; // a terminal shows a code
  ticket?: string; // the tray can answer: what stands for the code then
  give: (code: string) => void;
  stop: () => void;
}

interface Said {
  undo?: () => void;
  after?: () => void; // when the message has gone and nothing was undone
}

interface Acts {
  act: <T>(what: string, deed: Deed<T>, done?: string) => Promise<T | undefined>;
  say: (message: string, how?: Said) => void;
}

/** How long a message stays; what it offers to undo can be undone for as long. */
export const saidFor = 8000;

// The state is not what the page thought: somebody else changed it first, here or elsewhere.
const outdated = [
  "REVISION_CONFLICT",
  "CAPTURE_ALREADY_STOPPED",
  "INVALID_LEARN_STATE_TRANSITION",
  "LEARN_SESSION_ALREADY_ACTIVE",
  "SESSION_TIMEOUT",
];

const Context = createContext<Acts>({ act: async () => undefined, say: () => {} });
export const useActs = () => useContext(Context);

const Place = createContext<(e: HTMLElement | null) => void>(() => {});

/** Where messages are shown: a part of the frame of its own, so that they lie over nothing. */
export const Notices = ({ className }: { className?: string }) => <div ref={useContext(Place)} className={className} />;

class Stopped extends Error {}

/** What a feature shows for a failure that it knows how to explain, or undefined. */
export type Explain = (error: ApiError, close: () => void) => ReactNode | undefined;

export function Acting({ children, explain }: { children: ReactNode; explain?: Explain }) {
  const [asked, setAsked] = useState<Asked>();
  const [failed, setFailed] = useState<{ what: string; error: unknown; page?: "refreshing" | "refreshed" }>();
  const [toasts, setToasts] = useState<(Said & { id: number; message: string })[]>([]);
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const client = useQueryClient();

  const say = useCallback((message: string, how: Said = {}) => {
    const id = Date.now() + Math.random();
    setToasts((t) => [...t, { ...how, id, message }]);
  }, []);
  const drop = useCallback((id: number) => setToasts((t) => t.filter((x) => x.id !== id)), []);

  const confirm = useCallback(async (what: string, e: ApiError): Promise<string> => {
    const d = e.details as { action: string; subject_id: string; revision?: number; content_hash?: string };
    const c = await body(
      api.POST("/api/confirmations", {
        body: { action: d.action, subject_id: d.subject_id, revision: d.revision, content_hash: d.content_hash, ...once() },
      }),
    );
    if (c.code) return `${c.confirmation_id}:${c.code}`; // the window has asked, in a dialog of its own
    const code = await new Promise<string>((give, refuse) =>
      setAsked({
        what,
        id: c.confirmation_id,
        question: c.question,
        about: c.about,
        typed: c.how !== "tray",
        ticket: c.ticket,
        give,
        stop: () => refuse(new Stopped()),
      }),
    ).finally(() => setAsked(undefined));
    return `${c.confirmation_id}:${code}`;
  }, []);

  const act = useCallback(
    async function <T>(what: string, deed: Deed<T>, done?: string): Promise<T | undefined> {
      try {
        let r: T;
        try {
          r = await deed({});
        } catch (e) {
          if (!(e instanceof ApiError) || e.code !== "PRESENCE_REQUIRED" || !e.details.action) throw e;
          r = await deed({ "X-Showhow-Confirmation": await confirm(what, e) });
        }
        if (done) say(done);
        return r;
      } catch (error) {
        const code = error instanceof ApiError ? error.code : "";
        const refreshed = outdated.includes(code) ? client.invalidateQueries() : undefined;
        if (code === "CAPTURE_ALREADY_STOPPED") say(text.watch.stoppedBefore);
        else if (!(error instanceof Stopped)) setFailed({ what, error, page: refreshed && "refreshing" });
        void refreshed?.then(() => setFailed((f) => (f && f.error === error ? { ...f, page: "refreshed" } : f)));
        return undefined;
      }
    },
    [client, confirm, say],
  );

  const explained = failed?.error instanceof ApiError ? explain?.(failed.error, () => setFailed(undefined)) : undefined;
  const told = (
    <div className={css.toasts} role="status">
      {toasts.map((t) => (
        <Toast key={t.id} {...t} gone={() => drop(t.id)} />
      ))}
    </div>
  );
  return (
    <Context.Provider value={{ act, say }}>
      <Place.Provider value={setPlace}>{children}</Place.Provider>
      {asked && <Confirm key={asked.id} {...asked} />}
      {explained}
      {failed && !explained && (
        <Box title={text.act.failed(failed.what)} onClose={() => setFailed(undefined)}>
          <div className="stack below">
            <Wrong error={failed.error} />
            {failed.page && <p className="muted">{text.act[failed.page]}</p>}
            <div className="row">
              <Button look="primary" onClick={() => setFailed(undefined)}>
                {text.close}
              </Button>
            </div>
          </div>
        </Box>
      )}
      {place ? createPortal(told, place) : told}
    </Context.Provider>
  );
}

/** A message that disappears by itself, but not while it is hovered or focused. */
function Toast({ message, undo, after, gone }: Said & { message: string; gone: () => void }) {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return;
    const t = setTimeout(() => {
      after?.();
      gone();
    }, saidFor);
    return () => clearTimeout(t);
    // A message is one message for as long as it is shown.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [held]);
  const hold = (on: boolean) => ({ onPointerEnter: () => setHeld(on), onFocus: () => setHeld(on) });
  return (
    <div className={css.toast} {...hold(true)} onPointerLeave={() => setHeld(false)} onBlur={() => setHeld(false)}>
      {message}
      {undo && (
        <button
          type="button"
          className={button("tiny")}
          onClick={() => {
            undo();
            gone();
          }}
        >
          {text.act.undo}
        </button>
      )}
    </div>
  );
}

const lookEvery = 700;

/** Returns the ticket once the person has said yes in the tray, and stops after a no or a timeout. */
function useTray({ id, ticket, give, stop }: Asked) {
  useEffect(() => {
    if (!ticket) return;
    const t = setInterval(async () => {
      const r = await body(api.GET("/api/confirmations/{confirmationId}", { params: { path: { confirmationId: id } } })).catch(
        (e: unknown) => e as ApiError,
      );
      if (r instanceof ApiError) {
        if (r.status === 404) stop();
      } else if (r.state === "granted") give(ticket);
      else if (r.state === "refused") stop();
    }, lookEvery);
    return () => clearInterval(t);
    // All of it belongs to that one confirmation.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [id]);
}

/** What exactly is confirmed: the lines on the terminal above the code. */
function About({ lines }: { lines?: string[] }) {
  if (!lines?.length) return null;
  return (
    <ul className={css.about} aria-label={text.act.about}>
      {lines.map((l, i) => (
        <li key={i} className="break">
          <bdi>{l}</bdi>
        </li>
      ))}
    </ul>
  );
}

function Confirm(asked: Asked) {
  const { what, give, stop, typed, ticket } = asked;
  const [code, setCode] = useState("");
  useTray(asked);
  if (!typed) {
    return (
      <Box title={asked.question || text.act.confirm(what)} onClose={stop}>
        <About lines={asked.about} />
        <p className="muted">{text.act.inTray}</p>
        <Button look="plain" onClick={stop}>
          {text.cancel}
        </Button>
      </Box>
    );
  }
  return (
    <Box title={asked.question || text.act.confirm(what)} onClose={stop}>
      <form
        method="dialog"
        onSubmit={(e) => {
          e.preventDefault();
          if (code.trim()) give(code.trim());
        }}
      >
        <About lines={asked.about} />
        <p className="muted">
          {text.act.where}
          {ticket && ` ${text.act.orTray}`}
        </p>
        <div className={fieldCss.field}>
          <label htmlFor="code">{text.act.code}</label>
          <input
            id="code"
            className={`${fieldCss.input} ${css.code}`}
            autoComplete="off"
            spellCheck={false}
            maxLength={8}
            value={code}
            onChange={(e) => setCode(e.target.value)}
          />
        </div>
        <div className="row">
          <button className={button("primary")} type="submit">
            {what}
          </button>
          <Button look="plain" onClick={stop}>
            {text.cancel}
          </Button>
        </div>
      </form>
    </Box>
  );
}
