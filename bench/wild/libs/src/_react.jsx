// Mounts a component where the page wants a widget, and the page's own parts inside components.
import { useState, useRef, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { flushSync } from 'react-dom';

export const react =
  (wrap = (x) => x) =>
  (el, node) => {
    const box = document.createElement('div');
    box.style.display = 'inline-block';
    el.append(box);
    const root = createRoot(box);
    flushSync(() => root.render(wrap(node)));
    return { box, root };
  };

// Kept keeps what was entered and tells the page.
export function Kept({ start, set, children }) {
  const [value, keep] = useState(start);
  return children(value, (v) => {
    keep(v);
    set(v);
  });
}

// Filled is a place that the page itself fills.
export function Filled({ fill, as: Tag = 'div' }) {
  const at = useRef(null);
  useEffect(() => {
    if (at.current && !at.current.firstChild) fill(at.current);
  }, []);
  return <Tag ref={at} />;
}
