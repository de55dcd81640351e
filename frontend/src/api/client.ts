// The only way to the daemon: typed by its own OpenAPI document, errors as ApiError.
import createClient, { type Middleware } from "openapi-fetch";
import { text } from "../text/en";
import { bearer, leave } from "./login";
import type { components, paths } from "./schema";

export type Schemas = components["schemas"];

export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly hint = "",
    readonly details: Record<string, unknown> = {},
    readonly status = 0,
  ) {
    super(message);
  }
}

export const headers = (): Record<string, string> => {
  const b = bearer();
  return { "X-Showhow-Source": "user_click", ...(b ? { Authorization: `Bearer ${b}` } : {}) };
};

const auth: Middleware = {
  onRequest({ request }) {
    for (const [k, v] of Object.entries(headers())) request.headers.set(k, v);
  },
  onResponse({ response }) {
    if (response.status === 401) leave();
  },
};

export const api = createClient<paths>({ baseUrl: location.origin });
api.use(auth);

/** The body of an answer; a failure is thrown as an ApiError. */
export async function body<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  let r;
  try {
    r = await call;
  } catch {
    throw new ApiError("DAEMON_UNREACHABLE", text.errors.unreachable, text.errors.unreachableHint);
  }
  if (r.response.ok) return r.data as T;
  throw toError(r.error, r.response.status);
}

export function toError(e: unknown, status: number): ApiError {
  const f = (e as { error?: Schemas["ErrorBody"] } | undefined)?.error;
  if (!f?.code) return new ApiError("UNREADABLE", text.errors.unreadable, "", {}, status);
  return new ApiError(f.code, f.message, f.hint, f.details as Record<string, unknown>, status);
}

/** Added to every POST, so that an accidental repeat has no second effect. */
export const once = () => ({ client_request_id: crypto.randomUUID() });

/** The revision that was shown (If-Match). */
export const seen = (revision: number) => ({ "If-Match": `"${revision}"` });
