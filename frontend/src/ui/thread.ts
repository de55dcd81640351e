// The entries of a thread: steps, observations, checkpoints, receipts.
import css from "./thread.module.css";

/** The classes of a knot: a mark on the thread that shows a state by its colour and its symbol. */
export const knot = (tone: "" | "ok" | "warn" | "bad" | "accent" = "") => (tone ? `${css.knot} ${css[tone]}` : css.knot);
