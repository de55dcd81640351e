// A stream of observations in the daemon's format, of any length.
const labels = [
  "Clicked the button 'Save'",
  "Entered text into 'Note'",
  "Opened 'Orders'",
  "Ran wc -l [[id 6 v_abc12]].csv",
  "Chose 'Packed' as 'Status'",
];

/** The same, grouped in steps of ten as the daemon would. */
export const parts = (n: number) =>
  Array.from({ length: n / 10 }, (_, k) => ({
    title: `Filled in ${2 + (k % 7)} fields and clicked the button 'Save'`,
    where: `on 'Order ${k >> 2}'`,
    became: k % 3 ? "" : `Order ${k} was updated.`,
    adapters: ["browser_dom"],
    events: Array.from({ length: 10 }, (_, i) => `e${k * 10 + i}`),
  }));

export function frames(n: number): string {
  let out = "";
  const start = Date.now() - n * 1000;
  for (let i = 0; i < n; i++) {
    const at = new Date(start + i * 1000).toISOString();
    const page = i % 40 < 30;
    const payload = {
      seq: i + 1,
      trace_id: "00000000-0000-7000-8000-000000000000",
      action: {
        occurred_at: at,
        verb: "click",
        ...(page ? { site: "orders.example", page: { title: `Order ${Math.floor(i / 40)} - Order desk` } } : { shell: "/dev/pts/1" }),
        ...(i % 5 === 1 ? { value: { policy: "masked", kind: "text", length: 12 } } : {}),
      },
      after: i % 7 === 0 ? { alerts: [`Order ${i} was updated.`] } : undefined,
      event: {
        event_id: `e${i}`,
        action_label: labels[i % labels.length],
        adapter_kind: page ? "browser_dom" : "terminal_command",
        caused_state_change: i % 7 === 0,
        created_at: at,
      },
    };
    const data = JSON.stringify({ event_kind: "observation", timestamp: at, payload, schema_version: 1 });
    out += `event: observation\nid: ${i + 1}\ndata: ${data}\n\n`;
  }
  return out;
}
