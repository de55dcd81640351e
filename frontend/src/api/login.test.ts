import { expect, it, vi } from "vitest";
import { bearer, enter, leave } from "./login";

it("a tab whose login has ended goes on with the one that another tab got", async () => {
  sessionStorage.clear();
  const other = new BroadcastChannel("showhow.login");
  leave();
  other.postMessage("new");
  await vi.waitFor(() => expect(bearer()).toBe("new"), { timeout: 20_000 });
  other.postMessage("newer");
  const told = new Promise((r) => other.addEventListener("message", (e) => r((e as MessageEvent).data)));
  history.replaceState(null, "", "/#code=abc");
  vi.stubGlobal("fetch", () => Promise.resolve(new Response('{"bearer":"mine"}')));
  await enter();
  vi.unstubAllGlobals();
  expect([bearer(), location.hash, await told]).toEqual(["mine", "", "mine"]);
  other.close();
  sessionStorage.clear();
});
