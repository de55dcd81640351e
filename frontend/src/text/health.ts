// Texts about the health of abilities, automatic checks, and what waits for the person.
import type { Schemas } from "../api/client";
import { listed } from "./say";

type Outcome = Schemas["AbilityOutcome"];

const sources: Record<Outcome["source"], string> = {
  checkpoint_report: "an agent's report",
  agent_run: "an agent's run",
  rehearsal: "a rehearsal",
  canary: "an automatic check",
  connector: "a call to a service",
  event: "another runtime",
};

const results: Record<Outcome["result"], string> = { passed: "it worked", failed: "it failed", inconclusive: "nothing was learned" };

export const health = {
  title: "How it fares",
  status: {
    healthy: "Works",
    degraded: "Fails",
    quarantined: "Withdrawn",
    unknown: "Not known yet",
  } satisfies Record<Schemas["AbilityHealth"]["status"], string>,
  suspect: "May fail",
  latest: "What its last uses and trials came to",
  sources,
  results,
  at: "at",
  allow: "Check automatically",
  allowMore: "Showhow performs the read-only part while nobody uses the computer, and tells you when it stops working.",
  allowed: "Showhow checks it automatically now.",
  withdraw: "Stop the checks",
  withdrawn: "It is no longer checked automatically.",
  look: "Check now",
  looking: "Checking",
  probe: (result: string, told: string) =>
    `${{ failed: "What it needs does not answer", passed: "What it needs answers" }[result] ?? "What it needs was not asked"}: ${told}.`,
  renamed: "Controls that have another name now",
  repair: "Take over what changed",
  looks: (sites: string[], hours: number) => {
    const often = hours === 24 ? "once a day" : `every ${hours} hours`;
    return `Showhow may check it ${often}, read-only, at ${sites.length ? listed(sites) : "no site"}.`;
  },
};

export const inbox = {
  title: "Inbox",
  lead: "Everything that waits for you, each with the one thing to do about it.",
  empty: "Nothing waits for you",
  emptyMore: "Questions and proposals of agents, sign-ins, skills to review, skills that stop working and repairs are shown here.",
  answer: "Answer",
  send: "Send the answer",
  refuse: "Refuse",
  noAnswer: "Write the answer first",
  answered: "The agent has your answer.",
  refused: "The agent is told that you do not want to answer.",
  kinds: {
    call_waiting: "A call waits",
    run_question: "A run asks",
    agent_question: "An agent asks",
    remote_sign_in: "Asks to come in",
    remote_task: "Asks for a run",
    connector_auth: "Sign-in",
    reapproval: "Changed",
    quarantined: "Withdrawn",
    degraded: "Fails",
    repair_ready: "Repair",
    import_needs_adapter: "Import",
    agent_proposal: "Proposal",
    review_waiting: "For review",
    note_proposal: "Notes",
    promotion_candidate: "Proven",
    done_again: "Done again",
  } satisfies Record<Schemas["InboxItem"]["kind"], string>,
};

export const active = {
  title: "Active",
  lead: "What runs now, and what waits for you.",
  empty: "Nothing is running",
  emptyMore: "When you teach something, or a test runs, it is listed here.",
  begin: "Teach a new ability",
  captures: "Being watched",
  open: "Waiting for you",
  tests: "Tests running",
  drafts: "Drafts to decide on",
};
