import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { q } from "../../api/queries";
import { text } from "../../text/en";
import { Icon } from "../../ui/Icon";

/** The Automation Health pill of the navigation (1.1N): how much is in the way, and the way to what mends it. */
export function Pill() {
  const d = useQuery(q.doctor()).data;
  const n = d?.checks.filter((c) => c.state === "failed").length ?? 0;
  return (
    <Link to="/health">
      <Icon name={n ? "warn" : "check"} />
      {text.nav.health}
      {n > 0 && <span className="small muted">{text.nav.inTheWay(n)}</span>}
    </Link>
  );
}
