import { useEffect, useState } from "react";
import { api, body } from "../../api/client";

/** What a run prints, as it comes: each answer waits a moment for more. Undefined when it is not kept any more. */
export function useOutput(run: string): string | undefined {
  const [text, setText] = useState<string | undefined>("");
  useEffect(() => {
    const end = new AbortController();
    setText("");
    void (async () => {
      for (let after = "0"; !end.signal.aborted;) {
        try {
          const o = await body(
            api.GET("/api/agent-runs/{runId}/output", { params: { path: { runId: run }, query: { after } }, signal: end.signal }),
          );
          if (end.signal.aborted) return;
          if (o.text) setText((had) => (had ?? "") + o.text);
          after = String(o.next);
          if (o.ended) return;
        } catch {
          if (!end.signal.aborted) setText((had) => had || undefined);
          return;
        }
      }
    })();
    return () => end.abort();
  }, [run]);
  return text;
}
