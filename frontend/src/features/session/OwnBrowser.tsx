import { api, body, once } from "../../api/client";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Button } from "../../ui/Button";

/** The address of an allowed site: http on this computer, https elsewhere. */
export function addressOf(site: string): string | undefined {
  if (site.includes("*")) return undefined;
  const host = site.replace(/:\d+$/, "");
  return `${host === "localhost" || host.endsWith(".localhost") || /^127\.|^\[::1\]$/.test(host) ? "http" : "https"}://${site}/`;
}

/** Opens a site in Showhow's own browser, which comes to the front with it. */
export const openSite = (site: string) => {
  const url = addressOf(site);
  return body(api.POST("/api/browser/open", { body: { ...(url ? { url, front: true } : {}), ...once() } }));
};

/** Only that browser is watched, so one button leads to it. */
export function ToFront({ site }: { site: string }) {
  const { act } = useActs();
  return (
    <Button look="tiny" onClick={() => void act(text.session.toFront, () => openSite(site))}>
      {text.session.toFront}
    </Button>
  );
}
