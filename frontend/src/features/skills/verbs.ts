import { api, body, once, seen } from "../../api/client";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";

export type Verb = "activate" | "deactivate" | "quarantine" | "unquarantine" | "promote-shared";

export const verbName: Record<Verb, string> = {
  activate: text.skills.enable,
  deactivate: text.skills.disable,
  quarantine: text.skills.quarantine,
  unquarantine: text.skills.unquarantine,
  "promote-shared": text.skills.promote,
};

/** The switches of an ability, at the revision that was shown. */
export function useAbilityVerb(id: string, revision: number) {
  const { act } = useActs();
  const params = { path: { abilityId: id }, header: seen(revision) };
  return (verb: Verb) =>
    act(
      verbName[verb],
      (headers): Promise<unknown> => {
        const o = { params, headers, body: once() };
        if (verb === "activate") return body(api.POST("/api/abilities/{abilityId}/activate", o));
        if (verb === "deactivate") return body(api.POST("/api/abilities/{abilityId}/deactivate", o));
        if (verb === "quarantine") return body(api.POST("/api/abilities/{abilityId}/quarantine", o));
        if (verb === "promote-shared") return body(api.POST("/api/abilities/{abilityId}/promote-shared", o));
        return body(api.POST("/api/abilities/{abilityId}/unquarantine", o));
      },
      text.skills.done,
    );
}
