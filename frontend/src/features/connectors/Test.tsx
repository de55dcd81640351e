import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, body, once, type Schemas } from "../../api/client";
import { text } from "../../text/en";
import { useActs } from "../../ui/act";
import { Box } from "../../ui/Box";
import { Button } from "../../ui/Button";
import { Chip } from "../../ui/parts";
import { version } from "./decide";
import type { Connector } from "./queries";
import fieldCss from "../../ui/field.module.css";

type Result = Schemas["MCPSmokeTestResponse"];
const t = text.connector;
const steps = ["transport_ok", "auth_ok", "tool_discovery_ok"] as const;

/** Tests a connector step by step; it calls no tool, or one that reads if the person chose it. */
export function Test({ c }: { c: Connector }) {
  const { act } = useActs();
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<Result>();
  const [tool, setTool] = useState("");
  const reading = c.tools.filter((x) => x.state === "usable" && x.action_class === "read");
  const id = c.registry.server_id;
  const test = async () => {
    setBusy(true);
    const r = await act(t.test, (headers) =>
      body(
        api.POST("/api/mcp/servers/{serverId}/smoke-test", {
          params: { path: { serverId: id } },
          headers,
          body: { server_id: id, ...(tool ? { tool_name: tool } : {}), ...version, ...once() },
        }),
      ),
    );
    setBusy(false);
    void client.invalidateQueries({ queryKey: ["connectors"] });
    if (r) setResult(r);
  };
  return (
    <>
      <Button busy={busy} onClick={() => void test()}>
        {busy ? t.testing : t.test}
      </Button>
      {reading.length > 0 && (
        <select className={fieldCss.input} aria-label={t.testTool} value={tool} onChange={(e) => setTool(e.target.value)}>
          <option value="">{`${t.testTool}: ${t.testToolNone}`}</option>
          {reading.map((x) => (
            <option key={x.name} value={x.name}>
              {x.name}
            </option>
          ))}
        </select>
      )}
      {result && <Tested r={result} close={() => setResult(undefined)} />}
    </>
  );
}

function Tested({ r, close }: { r: Result; close: () => void }) {
  return (
    <Box title={t.testTitle} onClose={close}>
      <div className="stack below">
        <p role="status">
          {r.status === "passed" ? t.passed : text.connectors.why(r.failure_reason_code) || text.sentence(r.summary ?? "")}
        </p>
        <ul className="stack tight">
          {steps.map((s) => (
            <li key={s} className="row apart">
              {t.steps[s]}
              <Chip tone={r[s] ? "ok" : "bad"} icon={r[s] ? "check" : "cross"}>
                {r[s] ? t.yes : t.no}
              </Chip>
            </li>
          ))}
        </ul>
        <div className="row">
          <Button look="primary" onClick={close}>
            {text.close}
          </Button>
        </div>
      </div>
    </Box>
  );
}
