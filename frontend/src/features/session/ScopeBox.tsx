import { useState } from "react";
import { api, body, once, type Schemas, seen } from "../../api/client";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Ask } from "../../ui/Box";
import { Places } from "../learn/Places";
import { kinds, type Picked, pickedOf, scopeOf } from "../learn/scope";
import { listed } from "../../text/say";

/** Extends or narrows the scope during capture; what was kept before stays. */
export function ScopeBox({ s, close }: { s: Schemas["LearnSession"]; close: () => void }) {
  const { act } = useActs();
  const [picked, setPicked] = useState<Picked>(() => pickedOf(s.scope));
  const t = text.session;
  const places = kinds.flatMap((k) => picked[k]);
  const save = () =>
    act(
      t.changeTitle,
      (confirmed) =>
        body(
          api.PUT("/api/learn/sessions/{sessionId}/scope", {
            params: { path: { sessionId: s.learn_session_id }, header: seen(s.revision) },
            headers: confirmed,
            body: { scope: scopeOf(picked), ...once() },
          }),
        ),
      t.changedScope,
    ).then((r) => r && close());
  return (
    <Ask title={t.changeTitle} does={text.save} onDo={() => void save()} close={close} wide>
      <p className="muted">{t.changeMore}</p>
      <Places picked={picked} onChange={setPicked} />
      <p aria-live="polite" className="break">
        {places.length ? text.setup.will(listed(places)) : text.watch.nothing}
      </p>
    </Ask>
  );
}
