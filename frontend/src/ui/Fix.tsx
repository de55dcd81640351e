// What a check of the doctor is about, and what to do about it.
import { text } from "../text/en";
import { useActs } from "./act";
import { Button } from "./Button";
import { Phrase } from "./Phrase";

/** What a check is about: an adapter by the name that the rest of the app gives it. */
export const about = (name: string) => (name.startsWith("adapter ") ? text.name(name.slice("adapter ".length)) : text.capital(name));

const command = /^(showhow|echo|sudo|apt|apt-get|export|eval|systemctl) /;

/** What to do about it. A command is shown as it must be typed. */
export function Fix({ said }: { said: string }) {
  const { say } = useActs();
  const alone = command.test(said);
  const what = alone ? said : /^[^`]*`([^`]+)`[^`]*$/.exec(said)?.[1]; // of several, nobody knows which
  return (
    <p className="row small">
      {alone ? (
        <code>{said}</code>
      ) : (
        <span className="break">
          <Phrase>{said.startsWith("`") ? said : text.sentence(said)}</Phrase>
        </span>
      )}
      {what && (
        <Button
          look="plain tiny"
          aria-label={`${text.trust.copy}: ${what}`}
          onClick={() => void navigator.clipboard?.writeText(what).then(() => say(text.trust.copied))}
        >
          {text.trust.copy}
        </Button>
      )}
    </p>
  );
}
