import { useCallback, useEffect, useRef, useState } from "react";
import type { StreamState } from "../../api/stream";
import { listen } from "../../api/stream";
import type { Observation } from "./group";

/** All observations of a session, in one stream: the existing ones, and then each new one. */
export function useObservations(session: string) {
  const [all, setAll] = useState<Observation[]>([]);
  const [state, setState] = useState<StreamState>("connecting");
  const coming = useRef<Observation[]>([]);
  useEffect(() => {
    const end = new AbortController();
    const seen = new Set<string>();
    let frame = 0;
    setAll([]);
    const flush = () => {
      frame = 0;
      const batch = coming.current;
      coming.current = [];
      setAll((old) => old.concat(batch));
    };
    void listen(
      `/api/learn/sessions/${session}/observations/stream`,
      "0",
      {
        message(m) {
          const o = m.data.payload as Observation;
          if (m.event !== "observation" || seen.has(o.event.event_id)) return;
          seen.add(o.event.event_id);
          coming.current.push(o);
          frame ||= requestAnimationFrame(flush);
        },
        state: setState,
      },
      end.signal,
    );
    return () => {
      end.abort();
      cancelAnimationFrame(frame);
      coming.current = [];
    };
  }, [session]);
  const forget = useCallback((eventId: string) => setAll((old) => old.filter((o) => o.event.event_id !== eventId)), []);
  const recall = useCallback((o: Observation) => setAll((old) => (old.includes(o) ? old : old.concat(o))), []);
  return { all, state, forget, recall };
}
