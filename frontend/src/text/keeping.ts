// Texts about exporting, importing recordings, keeping and deleting, and better wording.
import { plural } from "./say";

export const exporting = {
  title: "Take it elsewhere",
  more: "As files for another computer or another kind of agent. Nothing that was typed while it was shown is in them.",
  draftMore: "What was done in the browser, for a player elsewhere. Such a file has no inputs, so it needs a value for each.",
  as: "For",
  targets: { agentskills: "Any agent (Agent Skills)", openclaw: "OpenClaw", claude: "Claude", codex: "Codex" } as Record<string, string>,
  formats: { devtools: "Chrome's recorder", playwright: "Playwright" } as Record<string, string>,
  do: "Save the files",
  draftDo: "Save the recording",
  saved: (name: string) => `Saved as ${name}, in your downloads.`,
  notes: "What could not be carried over",
  adapted: "What was changed for it",
  notApproved: "Only approved content is taken elsewhere.",
  noBrowser: "Nothing of this was done in a browser.",
};

export const pushing = {
  title: "Share it through a registry",
  more: "For your team: to the registry that it already runs. You see everything that leaves before it does.",
  to: "Where to",
  toHint: "HOST/PATH:TAG. Sign in with docker login or oras login.",
  noReference: "Say where to first.",
  notApproved: "Only approved content is shared.",
  examples: "Also what is kept back otherwise: examples, evidence, the story of the demonstration",
  sign: "Sign it with this computer's key, so that others see that it comes from you",
  signed: (key: string) => (key ? `Signed by your key ${key}.` : "Signed with a key that is made now and kept in the keychain."),
  unsigned: "It will not be signed.",
  noKeychain: "It will not be signed: there is no keychain here that could hold a key.",
  look: "Show what would leave",
  leaves: "What leaves",
  goes: (reference: string, version: string) => `To ${reference}, version ${version}, content`,
  other: "(another one than yours, because something is kept back)",
  replaces: "The tag leads to another content now, which this takes the place of.",
  otherKeys: (keys: string) =>
    `What is there was signed by another key, ${keys}. Whoever accepted that key is refused this push until they accept yours.`,
  keysUnread:
    "Whether another key signed what is there is unknown: the registry does not show what this repository holds. " +
    "Whoever accepted another key for it is refused this push.",
  shown: "What the registry shows beside the files, with the time of the push",
  stays: "What stays here",
  replaced: (path: string) => `${path}: one line stands in its place in what leaves`,
  sites: "Sites that it names",
  sentences: "Example requests in it",
  notFor: "Example requests in it that it is not for",
  asks: "What it asks for where it is pulled: agent tools, hosts, credentials",
  personal: "What looks personal or secret in it",
  notText: "No text, so not looked into: see yourself what they show",
  secret: "a secret, which must go first",
  findings: "What the scan says",
  blocked: "It holds a secret, which would be readable for everybody there.",
  there: "It is there already.",
  push: "Push it",
  pushed: (reference: string) => `Pushed to ${reference}.`,
};

export const recordings = {
  title: "From a recording",
  more:
    "A recording of Chrome's own recorder (JSON) or of Playwright's code generator (JSONL) is taken as a demonstration. " +
    "What is typed in it is sealed.",
  choose: "Choose a recording",
  taken: "Taken as a demonstration.",
  leftOut: "What was not taken",
  large: "The recording is larger than 900 kB.",
  on: "Open it",
};

export const keeping = {
  title: "How long it stays",
  usual: "Seven days after the demonstration ended. Then what was observed is deleted; draft and skill stay.",
  kept: "Until you delete it.",
  purged: "What was observed is deleted already.",
  retain: "Keep it longer",
  retainMore: "Beyond the usual seven days.",
  delete: "Delete this demonstration",
  deleteTitle: "Delete this demonstration for good?",
  deleteMore:
    "To delete it now takes everything that was observed in it, and closes a draft that you have not decided on. An installed skill stays.",
  deleted: "Deleted completely.",
};

export const wording = {
  title: "Better wording",
  more: "The model of your settings may word texts better. It sees no values, and steps, inputs and checks stay as they are.",
  do: "Ask for better wording",
  asking: "Asking",
  none: "Nothing became better. The draft is as it was.",
  said: (model: string, n: number) => `${model} saw ${plural(n, "text")}. Nothing is changed before you take it.`,
  take: "Take these texts",
  taken: "Taken as a new revision. Run its checks again.",
  leave: "Leave it as it was",
  refused: "Not accepted",
  was: "Now",
  better: "Better",
  consent: (at: string) => `The model at ${at} is on another computer. May it see the texts of this draft?`,
  consentDo: "Let it see the texts",
};

export const connecting = {
  connect: "Connect an agent",
  which: "Agent",
  connectDo: "Connect",
  connectMore:
    "Writes one entry into the agent's own settings, so that it tells Showhow what it does. Nothing is recorded until you allow it.",
  connected: "Connected.",
  disconnect: "Disconnect",
  disconnected: "Disconnected. The entry was taken out again.",
  states: {
    present: "",
    changed: "Its entry was changed by somebody else.",
    gone: "Its entry is no longer in the agent's settings.",
  } as Record<string, string>,
  credentials: "Credentials for agents' runs",
  credentialsMore:
    "Passwords and keys that an agent may be given, stored in this computer's keychain. A run gets only those that " +
    "its skill or agent names, after your confirmation; a value is never shown again.",
  noKeychain: "There is no keychain here, so nothing can be stored.",
  credentialsNone: "Nothing is stored yet.",
  credential: "Name",
  credentialIs: "Such as SHOP_TOKEN",
  value: "Value",
  store: "Store",
  stored: "Stored in the keychain.",
  forget: "Remove",
  forgotten: "Removed from the keychain.",
  usedBy: (names: string) => `used by ${names}`,
  noName: "Fill in a name and a value first.",
};

export const failures = {
  pictures: "Keep a picture where it fails",
  picturesMore:
    "Fields, tables and everything that shows one of your values are painted over. The picture is deleted together with what was observed.",
  given: (names: string) =>
    `It ran with the value that you gave for ${names}. If that was not right, rehearse with another one; the draft need not change.`,
  moreTests: "Request more tests",
  moreTestsMore: "Have the checks run again, or rehearse with other values, before you decide.",
};
