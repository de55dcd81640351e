// The official TypeScript client of A2A at a machine's address. argv: node_modules, the computer's URL, an access token
// and the skill to have run. It prints what it is told; somebody decides about the task meanwhile.
import { createPublicKey, verify } from "node:crypto";
import { pathToFileURL } from "node:url";

const [modules, base, token, skill] = process.argv.slice(2);
const { ClientFactory, ClientFactoryOptions, DefaultAgentCardResolver, JsonRpcTransport, JsonRpcTransportFactory } = await import(
  pathToFileURL(`${modules}/@a2a-js/sdk/dist/client/index.js`).href
);

const fetchImpl = (at, o = {}) => fetch(at, { ...o, headers: { ...o.headers, Authorization: `Bearer ${token}` } });
const factory = new ClientFactory({
  ...ClientFactoryOptions.default,
  transports: [new JsonRpcTransportFactory({ fetchImpl })],
  cardResolver: new DefaultAgentCardResolver(),
});

// RFC 8785 for what a card holds: sorted members, no spaces.
const canonical = (x) =>
  Array.isArray(x)
    ? `[${x.map(canonical).join(",")}]`
    : x && typeof x === "object"
      ? `{${Object.keys(x).sort().map((k) => `${JSON.stringify(k)}:${canonical(x[k])}`).join(",")}}`
      : JSON.stringify(x);
async function signed({ signatures, ...card }) {
  const [{ protected: head, signature }] = signatures;
  const { kid, jku, alg } = JSON.parse(Buffer.from(head, "base64url").toString());
  if (jku !== `${base}/.well-known/jwks.json` || alg !== "ES256") return false;
  const key = (await (await fetch(jku)).json()).keys.find((k) => k.kid === kid);
  const text = `${head}.${Buffer.from(canonical(card)).toString("base64url")}`;
  return verify("sha256", Buffer.from(text), { key: createPublicKey({ key, format: "jwk" }), dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"));
}

const card = await (await fetch(`${base}/.well-known/agent-card.json`)).json();
console.log(`public ${card.skills.length} ${await signed(card)}`);
const client = await factory.createFromUrl(base);
const wire = new JsonRpcTransport({ endpoint: `${base}/a2a`, fetchImpl });
const own = await wire.getExtendedAgentCard();
console.log(`own ${own.skills.map((s) => s.id).join(" ")} ${await signed(own)}`);

const message = (text, metadata) => ({
  message: { kind: "message", messageId: crypto.randomUUID(), role: "user", parts: [{ kind: "text", text }], metadata },
});
const found = await client.sendMessage(message("sort the receipts of a folder by month"));
console.log(`found ${found.status.state} ${JSON.stringify(found.artifacts)}`);

const asked = await client.sendMessage(message("sort those of June", { skill }));
console.log(`asked ${asked.status.state} ${(await client.cancelTask({ id: asked.id })).status.state}`);
try {
  await wire.setTaskPushNotificationConfig({ taskId: asked.id, pushNotificationConfig: { url: "http://127.0.0.1:1/" } });
  console.log("push taken");
} catch (e) {
  console.log(`push ${e.constructor.name}`);
}

const states = [];
let result = "";
for await (const e of client.sendMessageStream(message("sort those of May", { skill }))) {
  if (e.kind === "task") console.log(`task ${e.id}`);
  if (e.kind === "artifact-update") result += e.artifact.parts.map((p) => p.text ?? "").join("");
  if (e.kind !== "artifact-update" && states.at(-1) !== e.status.state) states.push(e.status.state);
}
console.log(`states ${states.join(" ")}`);
console.log(`result ${JSON.stringify(result)}`);
