// Mounts a component where the page wants a widget, and the page's own parts inside components.
import { createApp, h, ref } from 'vue';

export { h, ref };
export const vue = (plug) => (el, render) => {
  const box = document.createElement('div');
  box.style.display = 'inline-block';
  el.append(box);
  const app = createApp({ render });
  plug?.(app);
  app.mount(box);
  return box;
};
// filled is a place that the page itself fills.
export const filled = (fill, tag = 'span') => h(tag, { onVnodeMounted: (v) => v.el.firstChild || fill(v.el) });
