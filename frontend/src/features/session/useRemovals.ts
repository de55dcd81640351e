import { useCallback, useEffect, useRef } from "react";
import { api, body, headers } from "../../api/client";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import type { Observation } from "./group";

/** Deletes observations for good: each only after the time to undo it, or when the page is left. */
export function useRemovals(session: string, hide: (eventId: string) => void, back: (o: Observation) => void) {
  const { act, say } = useActs();
  const waiting = useRef(new Map<string, Observation>());

  const send = useCallback(
    async (id: string) => {
      const o = waiting.current.get(id);
      if (!o || !waiting.current.delete(id)) return;
      const gone = await act(text.session.remove, () =>
        body(
          api.DELETE("/api/learn/sessions/{sessionId}/observations/{eventId}", { params: { path: { sessionId: session, eventId: id } } }),
        ).then(() => true),
      );
      if (!gone) back(o);
    },
    [act, back, session],
  );

  const flush = useCallback(() => Promise.all([...waiting.current.keys()].map(send)), [send]);

  // A page that is being closed cannot wait for answers: the requests outlive it.
  useEffect(() => {
    const leave = () => {
      for (const id of waiting.current.keys())
        void fetch(`/api/learn/sessions/${session}/observations/${id}`, { method: "DELETE", headers: headers(), keepalive: true }).catch(
          () => {},
        );
      waiting.current.clear();
    };
    addEventListener("pagehide", leave);
    return () => {
      removeEventListener("pagehide", leave);
      leave();
    };
  }, [session]);

  const remove = useCallback(
    (some: Observation[]) => {
      for (const o of some) {
        waiting.current.set(o.event.event_id, o);
        hide(o.event.event_id);
      }
      say(text.session.removed, {
        undo: () => some.forEach((o) => waiting.current.delete(o.event.event_id) && back(o)),
        after: () => void some.reduce((before, o) => before.then(() => send(o.event.event_id)), Promise.resolve()),
      });
    },
    [back, hide, say, send],
  );
  return { remove, flush };
}
