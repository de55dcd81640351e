// An authorization server that nobody here wrote (oidc-provider), with dynamic registration, resource indicators, rotation
// and revocation. Its argument is the folder of node_modules; its first line is its issuer. /check says what a token is good
// for, /counts what was done.
import http from "node:http";
import { pathToFileURL } from "node:url";
import path from "node:path";

const { default: Provider } = await import(pathToFileURL(path.join(process.argv[2], "oidc-provider/lib/index.js")).href);
const counts = {};
const count = (what) => (counts[what] = (counts[what] ?? 0) + 1);
let provider;
const server = http.createServer(async (req, res) => {
  const url = new URL(req.url, "http://x");
  if (url.pathname === "/check") {
    const token = await provider.AccessToken.find(url.searchParams.get("token"));
    return res.end(JSON.stringify({ audience: token?.aud ?? "", scope: token?.scope ?? "" }));
  }
  if (url.pathname === "/counts") return res.end(JSON.stringify(counts));
  provider.callback()(req, res);
});
server.listen(0, "127.0.0.1", () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  provider = new Provider(issuer, {
    scopes: ["notes"],
    cookies: { keys: ["a key of this test"] },
    issueRefreshToken: async (_, client) => client.grantTypeAllowed("refresh_token"),
    features: {
      registration: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_, resource) => ({ scope: "notes", audience: resource, accessTokenFormat: "opaque", accessTokenTTL: 3600 }),
      },
    },
  });
  provider.on("registration_create.success", () => count("registered"));
  provider.on("grant.success", (ctx) => count(ctx.oidc.params.grant_type));
  console.log(issuer);
});
