import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { api, body, type Schemas } from "../../api/client";
import { text } from "../../text/en";
import { Phrase } from "../../ui/Phrase";
import { Load } from "../../ui/parts";
import css from "./Pictures.module.css";
import factsCss from "../../ui/facts.module.css";

type Evidence = Schemas["RehearseEvidence"];

const read = (run: string) => ({
  queryKey: ["runs", "evidence", run],
  queryFn: async () =>
    (await body(api.GET("/api/learn/validation-runs/{runId}/evidence", { params: { path: { runId: run } } }))).evidence ?? [],
});
const picture = (run: string, id: number) => ({
  queryKey: ["runs", "picture", run, id],
  gcTime: 0, // it goes with the view
  queryFn: async () => {
    const p = await body(
      api.GET("/api/learn/validation-runs/{runId}/evidence/{evidenceId}/picture", { params: { path: { runId: run, evidenceId: id } } }),
    );
    return createImageBitmap(new Blob([Uint8Array.from(atob(p.content), (c) => c.charCodeAt(0))], { type: p.media_type }));
  },
});

/** The page at the failed step of a rehearsal: in words, and as a picture if one was taken. */
export function EvidenceOf({ run, step, label }: { run: string; step: string; label: string }) {
  const { data } = useQuery(read(run));
  const mine = data?.filter((e) => e.test_case_id === step) ?? [];
  return mine.map((e) => <OnePage key={e.evidence_id} e={e} label={label} />);
}

function OnePage({ e, label }: { e: Evidence; label: string }) {
  const [open, setOpen] = useState(false);
  const t = text.reviewing.pictures;
  const s = e.state;
  const rows = [
    [t.address, s?.url ? [s.url] : []],
    [t.headings, s?.headings ?? []],
    [t.alerts, s?.alerts ?? []],
  ] as const;
  return (
    <details className={css.evidence} onToggle={(x) => setOpen(x.currentTarget.open)}>
      <summary className="small">{t.show}</summary>
      <dl className={`${factsCss.facts} small`}>
        {rows.map(([name, list]) =>
          list.length ? (
            <div key={name} className="pair">
              <dt>{name}</dt>
              <dd>
                {list.map((x) => (
                  <div key={x} className="break">
                    <Phrase>{x}</Phrase>
                  </div>
                ))}
              </dd>
            </div>
          ) : null,
        )}
      </dl>
      {open && (e.picture ? <Picture e={e} label={label} /> : <p className="small muted">{t.none}</p>)}
    </details>
  );
}

function Picture({ e, label }: { e: Evidence; label: string }) {
  const t = text.reviewing.pictures;
  return (
    <Load query={useQuery(picture(e.validation_run_id, e.evidence_id))}>
      {(bitmap) => (
        <figure>
          <Painted bitmap={bitmap} label={t.of(label)} />
          <figcaption className="small muted">{t.more}</figcaption>
        </figure>
      )}
    </Load>
  );
}

/** The content security policy allows only the page's own image files; a canvas needs no address. */
function Painted({ bitmap, label }: { bitmap: ImageBitmap; label: string }) {
  const ref = useRef<HTMLCanvasElement>(null);
  useEffect(() => ref.current?.getContext("2d")?.drawImage(bitmap, 0, 0), [bitmap]);
  return <canvas ref={ref} role="img" aria-label={label} width={bitmap.width} height={bitmap.height} />;
}
