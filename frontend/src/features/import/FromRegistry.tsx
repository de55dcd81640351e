import { useState } from "react";
import { api, body, type Schemas } from "../../api/client";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Button } from "../../ui/Button";
import { Field } from "../../ui/forms";
import { short } from "../../ui/hash";
import fieldCss from "../../ui/field.module.css";
import { From, type FromProps } from "./From";
import { ofRequest } from "./upload";

type Verified = Schemas["SkillVerified"];

/** A skill from a registry; it can be checked before anything of it is brought in. */
export function FromRegistry({ busy, begin }: FromProps) {
  const t = text.imports;
  const { act } = useActs();
  const [reference, setReference] = useState("");
  const [signer, setSigner] = useState("");
  const [unsigned, setUnsigned] = useState(false);
  const [v, setVerified] = useState<Verified>();
  const said = reference.trim();
  const key = signer.trim() || undefined;
  const why = said ? undefined : t.noReference;
  const verify = async () =>
    setVerified(
      await act(t.verify, () => body(api.GET("/api/skills/registry/verify", { params: { query: { reference: said, signer: key } } }))),
    );
  const change = (f: () => void) => {
    f();
    setVerified(undefined); // it was of something else
  };
  return (
    <From
      busy={busy}
      why={why}
      send={() => begin(ofRequest(said, { kind: "registry", reference: said, signer: key, unsigned: unsigned || undefined }))}
      more={
        <Button disabledReason={why} onClick={() => void verify()}>
          {t.verify}
        </Button>
      }
    >
      <Field label={t.referenceLabel} hint={t.referenceHint}>
        {(id, d) => (
          <input
            id={id}
            aria-describedby={d}
            className={`${fieldCss.input} mono`}
            spellCheck={false}
            placeholder="registry.example.com/team/change-an-order:1.0"
            value={reference}
            onChange={(e) => change(() => setReference(e.target.value))}
          />
        )}
      </Field>
      <Field label={t.signerLabel} hint={t.signerHint}>
        {(id, d) => (
          <input
            id={id}
            aria-describedby={d}
            className={`${fieldCss.input} mono`}
            spellCheck={false}
            maxLength={64}
            value={signer}
            onChange={(e) => change(() => setSigner(e.target.value))}
          />
        )}
      </Field>
      <label className="row">
        <input type="checkbox" checked={unsigned} onChange={(e) => setUnsigned(e.target.checked)} />
        {t.unsignedToo}
      </label>
      {v && <Holds v={v} />}
    </From>
  );
}

/** What a check found. */
export function Holds({ v }: { v: Verified }) {
  const t = text.imports;
  const who = !v.signer ? t.verifiedNobody : v.yours ? t.verifiedYours : t.verifiedBy(short(v.signer));
  return (
    <div role="status" className="small">
      <p>
        {t.verified} <span className="mono">{short(v.content_hash)}</span>
      </p>
      <p>
        {who} {v.signer && !v.yours && (v.signer === v.expected ? t.verifiedKnown : t.verifiedNew)}
      </p>
    </div>
  );
}
