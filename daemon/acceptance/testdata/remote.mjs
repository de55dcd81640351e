// The official TypeScript client at a resource that wants a token. argv: node_modules, the resource's URL. It prints the
// code that the consent page shows, waits until that sends the browser back, and prints the tools' names.
import { pathToFileURL } from "node:url";

const [modules, resource] = process.argv.slice(2);
const sdk = (p) => import(pathToFileURL(`${modules}/@modelcontextprotocol/sdk/dist/esm/${p}`).href);
const { Client } = await sdk("client/index.js");
const { UnauthorizedError } = await sdk("client/auth.js");
const { StreamableHTTPClientTransport } = await sdk("client/streamableHttp.js");

const back = "http://127.0.0.1:4711/back";
let info, tokens, verifier, page, cookie;
const provider = {
  redirectUrl: back,
  clientMetadata: {
    client_name: "TypeScript",
    redirect_uris: [back],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
  },
  state: () => "st-3",
  clientInformation: () => info,
  saveClientInformation: (x) => void (info = x),
  tokens: () => tokens,
  saveTokens: (x) => void (tokens = x),
  redirectToAuthorization: async (u) => {
    const r = await fetch(u, { redirect: "manual" });
    page = r.headers.get("location");
    cookie = r.headers.getSetCookie().map((c) => c.split(";")[0]).join("; "); // as a browser does
  },
  saveCodeVerifier: (x) => void (verifier = x),
  codeVerifier: () => verifier,
};

const transport = () => new StreamableHTTPClientTransport(new URL(resource), { authProvider: provider });
const first = transport();
try {
  await new Client({ name: "far", version: "1" }).connect(first);
  throw new Error("nobody asked for a token");
} catch (e) {
  if (!(e instanceof UnauthorizedError)) throw e;
}
const look = () => fetch(page, { redirect: "manual", headers: { cookie } });
console.log(`code ${/<b class="code">([A-Z0-9-]+)/.exec(await (await look()).text())[1]}`);
let to;
while (!to) {
  const r = await look();
  if (r.status === 302) to = new URL(r.headers.get("location"));
  else await new Promise((done) => setTimeout(done, 100));
}
if (to.searchParams.get("state") !== "st-3") throw new Error(`state ${to}`);
await first.finishAuth(to.searchParams.get("code"));
const client = new Client({ name: "far", version: "1" });
await client.connect(transport());
console.log(`tools ${(await client.listTools()).tools.map((t) => t.name).join(" ")}`);
tokens = { ...tokens, access_token: "at_expired" }; // the client refreshes by itself
const again = new Client({ name: "far", version: "1" });
await again.connect(transport());
console.log(`again ${(await again.listTools()).tools.length} ${tokens.access_token !== "at_expired"}`);
await client.close();
await again.close();
