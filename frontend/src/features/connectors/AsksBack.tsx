import { text } from "../../text/en";
import { Toggle } from "../../ui/forms";
import { useChange } from "./decide";
import type { Connector } from "./queries";
import panelCss from "../../ui/panel.module.css";

const t = text.connector;

/** What the service may ask in return while it works on a call. */
export function AsksBack({ c }: { c: Connector }) {
  const change = useChange(c);
  const r = c.registry;
  if (!c.available_actions.includes("edit") || !r.active_build_surface) return null;
  const set = (more: Parameters<typeof change>[1], on: boolean) => void change(t.asks, more, on ? t.asksMay : t.asksMayNot);
  return (
    <section className={`${panelCss.panel} stack tight`} aria-label={t.asks}>
      <h2>{t.asks}</h2>
      <p className="muted">{t.asksMore}</p>
      <Toggle
        label={t.asksPerson}
        more={t.asksPersonMore}
        on={r.allow_elicitation ?? false}
        onChange={(on) => set({ allow_elicitation: on }, on)}
      />
      <Toggle
        label={t.asksModel}
        more={t.asksModelMore}
        on={r.allow_sampling ?? false}
        onChange={(on) => set({ allow_sampling: on }, on)}
      />
      <Toggle label={t.asksFolders} more={t.asksFoldersMore} on={r.allow_roots ?? false} onChange={(on) => set({ allow_roots: on }, on)} />
    </section>
  );
}
