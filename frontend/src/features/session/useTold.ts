import { useEffect, useRef, useState } from "react";
import { api, body } from "../../api/client";
import type { Observation, Told } from "./group";

const rest = 120; // ms that observations may gather before they are told
const again = 3; // the last steps may still grow: they are told once more

/**
 * What was kept, in the steps that the daemon tells. While more comes only the end is told anew; all of it is when the session
 * changed (a mark, a deletion) or is over. No observation waits for it: until it is told it stands by itself.
 */
export function useTold(session: string, revision: number, live: boolean, all: Observation[]): Told[] {
  const [parts, setParts] = useState<Told[]>([]);
  const now = useRef({ all, parts, live, whole: true, busy: false, missed: false, pause: rest, timer: 0 });
  useEffect(() => {
    Object.assign(now.current, { all, parts, live });
  });

  useEffect(() => {
    now.current.whole = true;
  }, [revision, live]);

  useEffect(() => {
    const n = now.current;
    const ask = async () => {
      const began = performance.now();
      const from = n.whole || !n.live ? 0 : Math.max(0, n.parts.length - again);
      const keep = n.parts.slice(0, from);
      const after = from ? arrivedBefore(n.all, n.parts[from]) : 0;
      n.whole = n.missed = false;
      const r = await body(
        api.GET("/api/learn/sessions/{sessionId}/told", { params: { path: { sessionId: session }, query: { after } } }),
      ).catch(() => undefined);
      if (r) setParts((after ? keep : []).concat(r.parts ?? []));
      else n.whole = true; // the next observation asks again
      n.pause = Math.max(rest, 4 * (performance.now() - began)); // a long demonstration is asked for less often
      n.busy = false;
      if (n.missed) begin();
    };
    const begin = () => {
      if (n.busy) {
        n.missed = true;
        return;
      }
      n.busy = true;
      n.timer = window.setTimeout(() => void ask(), n.pause);
    };
    if (all.length) begin();
  }, [session, revision, live, all]);

  useEffect(() => () => clearTimeout(now.current.timer), []);
  return parts;
}

/** The position in the order of arrival before which nothing belongs to that part. */
function arrivedBefore(all: Observation[], part: Told | undefined): number {
  const ids = new Set(part?.events);
  const seqs = all.flatMap((o) => (ids.has(o.event.event_id) ? o.seq : []));
  return seqs.length ? Math.min(...seqs) - 1 : 0;
}
