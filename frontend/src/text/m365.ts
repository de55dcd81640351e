// Texts of the form that connects Microsoft 365. They load with it.
import { listed } from "./say";

export const connectingM365 = {
  title: "Connect Microsoft 365",
  lead:
    "Mail, calendar, files and Teams over Microsoft Graph. Reading is allowed afterwards; what changes or sends something " +
    "waits for you.",
  untried: "It was tested against a local Graph only, never against the real Microsoft 365.",
  what: "What agents may be offered",
  groups: { mail: "Mail", calendar: "Calendar", files: "Files", chat: "Teams and chats" } as Record<string, string>,
  does: { read: "reads", write: "changes", send: "sends" } as Record<string, string>,
  more: (operations: string[]) => `${listed(operations)}.`,
  app: "Application (client) id",
  appHint: "Showhow has no application at Microsoft of its own: register one in the Entra admin center, under App registrations.",
  tenant: "Organisation",
  tenantHint: "Its id or domain. Without it, any organisation's account may sign in.",
  name: "What you call it",
  nameHint: "Agents see its tools as NAME__OPERATION.",
  rest: "More choices",
  restIs: "the address to come back to, national clouds",
  redirect: "Address that the browser returns to",
  redirectHint: "Register the same one there, for the platform Mobile and desktop applications.",
  graph: "Address of Microsoft Graph",
  graphHint: "Only for a national cloud.",
  none: "Choose what agents may be offered",
  noApp: "Say which application it is",
  noName: "Give it a name",
  asks: (scopes: string[]) => `The sign-in will ask Microsoft for ${listed(scopes)}.`,
  waits: (operations: string[]) => `You are asked before each of these: ${listed(operations)}.`,
  first: "Nothing is sent to Microsoft until you sign in, on the next page.",
  do: "Connect",
  busy: "Connecting",
  done: "Connected. Now sign in.",
};
