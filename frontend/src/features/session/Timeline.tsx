import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { type CSSProperties, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { text } from "../../text/en";
import { Icon } from "../../ui/Icon";
import { Button } from "../../ui/Button";
import { EdgeHandle } from "./Edge";
import { edges, type Edge, inOrder, type Mark, type Observation, type Row, rows, span, type Step, steps, stops, type Told } from "./group";
import { EventRow, StepRow } from "./Rows";
import css from "./Timeline.module.css";

interface Props {
  all: Observation[];
  parts: Told[];
  marks: Mark[];
  follow: boolean; // new observations scroll into view, unless the person looks at earlier ones
  movable: Edge[];
  onTrim: (edge: Edge, to: Observation, from: Observation) => Promise<void>; // done when the marks say so
  onDelete?: (all: Observation[]) => void;
  onNote?: (o: Observation) => void;
}

const heights = { step: 42, event: 36, mark: 40, edge: 30 };

/** The live timeline. Only what is in view is in the page, so ten thousand observations scroll like ten. */
export function Timeline({ all, parts, marks, follow, movable, onTrim, onDelete, onNote }: Props) {
  const sorted = useMemo(() => inOrder(all), [all]);
  const set = useMemo(() => edges(sorted, span(marks)), [sorted, marks]);
  const [moved, setMoved] = useState<{ edge: Edge; to: number }>();
  const at = useMemo(() => (moved ? { ...set, [moved.edge]: moved.to } : set), [set, moved]);
  const edgesShown = useMemo(() => (sorted.length > 1 ? movable : []), [sorted, movable]);
  const told = useMemo(() => steps(sorted, parts), [sorted, parts]);
  const { open, toggle, every, setEvery } = useOpen(told, set, follow);
  const list = useMemo(() => rows(sorted, told, { marks, at, movable: edgesShown, open }), [sorted, told, marks, at, edgesShown, open]);
  const box = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const handles = list.flatMap((r, i) => (r.kind === "edge" ? [i] : []));
  const v = useVirtualizer({
    count: list.length,
    getScrollElement: () => box.current,
    estimateSize: (i) => heights[list[i]?.kind ?? "event"],
    getItemKey: (i) => list[i]?.key ?? i,
    overscan: 12,
    // An element that is dragged or has the focus must stay in the page.
    rangeExtractor: (r) => [...new Set([...defaultRangeExtractor(r), ...handles])].sort((a, b) => a - b),
  });
  useEffect(() => {
    if (follow && atEnd.current && list.length) v.scrollToIndex(list.length - 1, { align: "end" });
  }, [follow, list.length, v]);

  // When the demonstration is over the timeline starts at its beginning.
  const followed = useRef(follow);
  useEffect(() => {
    if (followed.current && !follow) v.scrollToIndex(0);
    followed.current = follow;
  }, [follow, v]);

  const sending = useRef(false);
  const move = (edge: Edge, to: number) => {
    const n = edge === "start" ? Math.min(to, at.end) : Math.max(to, at.start);
    setMoved({ edge, to: n });
    const i = list.findIndex((r) => (r.kind === "event" ? r.n === n : r.kind === "step" && !r.open && r.step.from <= n && n <= r.step.to));
    if (i >= 0) v.scrollToIndex(i, { align: "auto" });
  };
  const drop = (edge: Edge) => {
    const to = moved?.edge === edge ? sorted[moved.to] : undefined;
    const from = sorted[set[edge]];
    if (sending.current) return; // losing the focus drops it once more
    if (!to || !from || to === from) return setMoved(undefined);
    sending.current = true;
    void onTrim(edge, to, from).finally(() => {
      sending.current = false;
      setMoved(undefined);
    });
  };
  const over = (edge: Edge) => (y: number) => {
    const top = box.current ? box.current.getBoundingClientRect().top - box.current.scrollTop : 0;
    const row = v.getVirtualItemForOffset(y - top);
    for (let i = row?.index ?? 0; i >= 0; i--) {
      const r = list[i];
      if (r?.kind === "event") return r.n;
      if (r?.kind === "step") return edge === "end" && !r.open ? r.step.to : r.step.from;
    }
    return 0;
  };
  const trim = (edge: Edge) => (edgesShown.includes(edge) ? (o: Observation) => void onTrim(edge, o, sorted[set[edge]] ?? o) : undefined);
  const does = { onDelete, onNote, onStart: trim("start"), onEnd: trim("end") };

  const show = (r: Row) => {
    switch (r.kind) {
      case "mark":
        return (
          <div className={css.said}>
            <Icon name={r.mark.kind === "mark_goal" ? "flag" : "note"} />
            <span className="break">
              <span className="small muted">{text.timeline.marks[r.mark.step_kind_hint === "other" ? "note" : r.mark.kind]}</span>{" "}
              {r.mark.label}
            </span>
          </div>
        );
      case "edge":
        return (
          <EdgeHandle
            edge={r.edge}
            at={r.at}
            of={sorted.length}
            said={sorted[r.at]?.event.action_label ?? ""}
            stops={stops(list, r.edge)}
            over={over(r.edge)}
            onMove={(n) => move(r.edge, n)}
            onDrop={() => drop(r.edge)}
            onGiveUp={() => setMoved(undefined)}
          />
        );
      case "event":
        return <EventRow {...r} {...does} />;
      case "step":
        return <StepRow {...r} {...does} onToggle={() => toggle(r.step)} />;
    }
  };

  return (
    <>
      {told.length > 0 && (
        <div className={`row apart ${css["told-bar"]}`}>
          <span className="muted">{text.timeline.count(told.length, sorted.length)}</span>
          <Button look="tiny" aria-pressed={every} onClick={() => setEvery(!every)}>
            {text.timeline.every}
          </Button>
        </div>
      )}
      <div
        ref={box}
        className={moved ? `${css.timeline} ${css.drawing}` : css.timeline}
        style={{ "--all": `${v.getTotalSize()}px` } as CSSProperties}
        tabIndex={0}
        role="region"
        aria-label={text.session.timeline}
        onScroll={(e) => {
          const b = e.currentTarget;
          atEnd.current = b.scrollHeight - b.scrollTop - b.clientHeight < 60;
        }}
      >
        <ol className={css.laid} style={{ height: v.getTotalSize() }}>
          {inPlace(v.getVirtualItems(), (i) => list[i.index]?.kind === "edge").map((i) => {
            const r = list[i.index];
            if (!r) return null;
            return (
              <li
                key={i.key}
                data-index={i.index}
                ref={v.measureElement}
                aria-setsize={list.length}
                aria-posinset={i.index + 1}
                style={{ transform: `translateY(${i.start}px)` }}
              >
                {show(r)}
              </li>
            );
          })}
        </ol>
      </div>
    </>
  );
}

// An element that is moved in the document loses pointer capture and focus, so the edges stay last in it, wherever
// they are shown.
const inPlace = <T,>(items: T[], last: (i: T) => boolean) => [...items.filter((i) => !last(i)), ...items.filter(last)];

/** Which steps are open: those that an edge stands within, what the person opened, and, live, the last one. */
function useOpen(told: Step[], set: Record<Edge, number>, follow: boolean) {
  const [chosen, choose] = useState<Record<string, boolean>>({});
  const [every, setAll] = useState(false);
  const key = (s: Step) => s.events[0]!.event.event_id;
  const last = told.at(-1);
  const open = useCallback(
    (s: Step) => {
      const within = (n: number) => s.from < n && n < s.to;
      if (within(set.start) || within(set.end) || set.start === s.to || set.end === s.from) return true;
      return chosen[key(s)] ?? (every || (follow && s === last));
    },
    [chosen, every, follow, last, set],
  );
  const toggle = (s: Step) => choose((was) => ({ ...was, [key(s)]: !open(s) }));
  const setEvery = (on: boolean) => {
    choose({});
    setAll(on);
  };
  return { open, toggle, every, setEvery };
}
