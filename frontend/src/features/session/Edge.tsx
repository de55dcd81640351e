import { type PointerEvent, useRef } from "react";
import { text } from "../../text/en";
import type { Edge } from "./group";
import timelineCss from "./Timeline.module.css";

interface Props {
  edge: Edge;
  at: number;
  of: number;
  said: string; // the observation that it stands at
  stops: number[]; // where it may stand, in order
  onMove: (to: number) => void; // while it is moved; nothing is trimmed yet
  onDrop: () => void;
  onGiveUp: () => void;
  over: (y: number) => number; // the number of the observation at that height of the window
}

/** The beginning or end of a demonstration: dragged by pointer, or moved by the arrow keys and set by Enter. */
export function EdgeHandle({ edge, at, of, said, stops, onMove, onDrop, onGiveUp, over }: Props) {
  const drawn = useRef(false);
  const t = text.timeline;
  const limit = (n: number) => Math.max(0, Math.min(of - 1, n));
  const go = (by: number) => {
    const before = stops.filter((n) => n < at);
    const after = stops.filter((n) => n > at);
    const to = by < 0 ? (before.at(by) ?? before[0]) : (after[by - 1] ?? after.at(-1));
    if (to !== undefined) onMove(to);
  };
  const keys: Record<string, () => void> = {
    ArrowUp: () => go(-1),
    ArrowDown: () => go(1),
    PageUp: () => go(-10),
    PageDown: () => go(10),
    Home: () => onMove(0),
    End: () => onMove(of - 1),
    Enter: onDrop,
    Escape: onGiveUp,
  };
  const grab = (e: PointerEvent<HTMLDivElement>) => {
    e.currentTarget.setPointerCapture(e.pointerId);
    drawn.current = true;
  };
  const release = () => {
    if (drawn.current) onDrop();
    drawn.current = false;
  };
  return (
    <div
      className={timelineCss.edge}
      role="slider"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t.edge[edge]}
      aria-valuemin={1}
      aria-valuemax={of}
      aria-valuenow={at + 1}
      aria-valuetext={t.edgeAt(at + 1, of, said)}
      title={t.edgeHow}
      onPointerDown={grab}
      onPointerMove={(e) => drawn.current && onMove(limit(over(e.clientY)))}
      onPointerUp={release}
      onPointerCancel={() => {
        drawn.current = false;
        onGiveUp();
      }}
      onBlur={onDrop}
      onKeyDown={(e) => {
        const key = keys[e.key];
        if (!key) return;
        e.preventDefault();
        key();
      }}
    >
      <span aria-hidden className={timelineCss.grip} />
      <span>{t.edge[edge]}</span>
    </div>
  );
}
