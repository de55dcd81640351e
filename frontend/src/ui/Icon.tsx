import css from "./Icon.module.css";
// Line icons, drawn on a grid of 24. They are decoration: the words beside them carry the meaning.
const paths: Record<string, string> = {
  inbox: "M4 13l3-8h10l3 8v6H4zM4 13h5l1 3h4l1-3h5",
  active: "M4 12h4l2.5-7 4 14 2.5-7H21",
  skills: "M5 4h10l4 4v12H5zM15 4v4h4M8.5 13l2.2 2.2 4.3-4.4",
  learn: "M3 9.5 12 5l9 4.5-9 4.5zM6.5 11.5v4.3c2.8 2.6 8.2 2.6 11 0v-4.3",
  trust: "M12 3l7 3v5.5c0 4.3-3 7.6-7 9.5-4-1.9-7-5.2-7-9.5V6zM9 12l2.2 2.2L15.2 10",
  connectors: "M9 3v5M15 3v5M6.5 8h11v3a5.5 5.5 0 01-11 0zM12 16.5V21",
  families: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM16.5 13v7M13 16.5h7",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.8a2.2 2.2 0 100 4.4 2.2 2.2 0 000-4.4zM9 14.8a2.2 2.2 0 100 4.4 2.2 2.2 0 000-4.4z",
  show:
    "M8.5 11V5.6a1.6 1.6 0 013.2 0V11m0-1.6a1.6 1.6 0 013.2 0V12m0-1.2a1.6 1.6 0 013.1 0V15" +
    "c0 3.6-2.4 6-5.7 6-2.6 0-4-1-5.2-3l-2.6-4.3a1.6 1.6 0 012.7-1.7l1.3 1.8",
  coach: "M4 5h12v9H9l-4 4v-4H4zM19 9h1v9l-3-2h-5",
  practice: "M19.5 12a7.5 7.5 0 11-2.2-5.3M19.5 3.5v4h-4",
  improve: "M5 19l1-4L16.5 4.5l3 3L9 18zM14 7l3 3M13 20h7",
  import: "M12 4v10m-4-4 4 4 4-4M5 16v4h14v-4",
  browser_dom: "M3.5 5h17v14h-17zM3.5 9h17M6.5 7h.01M9 7h.01",
  terminal_command: "M4 5h16v14H4zM7.5 9.5l3 2.5-3 2.5M12.5 15h4",
  process_launch: "M4 6h16v12H4zM4 9.5h16M9 14h6",
  midi: "M5 5h14v14H5zM9 5v8m6-8v8M7.8 13h2.4v6M13.8 13h2.4v6",
  receipt: "M6 4h12v16l-2-1.4-2 1.4-2-1.4-2 1.4-2-1.4L6 20zM9 9h6M9 12.5h6",
  file: "M6 3.5h8l4 4v13H6zM14 3.5v4h4",
  check: "M5 12.5l4.5 4.5L19 7.5",
  cross: "M6.5 6.5l11 11m0-11l-11 11",
  skip: "M6 6l7 6-7 6zM17 6v12",
  circle: "M12 5a7 7 0 100 14 7 7 0 000-14z",
  flag: "M6 21V4h11l-2.2 4L17 12H6",
  loop: "M17 3.5l3 3-3 3M20 6.5H8a4 4 0 00-4 4M7 20.5l-3-3 3-3M4 17.5h12a4 4 0 004-4",
  branch: "M6 4v16M6 9c0 4 10 1.5 10 6v5M13 17l3 3 3-3",
  right: "M9 5.5l6.5 6.5L9 18.5",
  more: "M6 12h.01M12 12h.01M18 12h.01",
  eye: "M2.5 12S6 6 12 6s9.5 6 9.5 6-3.5 6-9.5 6-9.5-6-9.5-6zM12 9.5a2.5 2.5 0 100 5 2.5 2.5 0 000-5z",
  note: "M5 4h14v11l-5 5H5zM14 20v-5h5M8.5 9h7M8.5 12.5h4",
  warn: "M12 4l9 16H3zM12 10v4.5M12 17.3h.01",
  trash: "M5 7h14M10 7V4.5h4V7M7 7l.8 12.5h8.4L17 7",
};

const kinds: Record<string, string> = {
  browser_snapshot: "browser_dom",
  mcp_receipt: "receipt",
  wrapper_receipt: "receipt",
  file_dialog: "file",
  accessibility_ui: "process_launch",
};

/** What an icon is drawn as: several names share one. */
export const drawn = (name: string) => kinds[name] ?? name;

export function Icon({ name, label }: { name: string; label?: string }) {
  return (
    <svg className={css.icon} viewBox="0 0 24 24" {...(label ? { role: "img", "aria-label": label } : { "aria-hidden": true })}>
      <path d={paths[drawn(name)] ?? paths.circle} />
    </svg>
  );
}
