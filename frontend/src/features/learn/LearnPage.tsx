import { Link, Outlet } from "@tanstack/react-router";
import { text } from "../../text/en";
import { Page } from "../../ui/parts";

export function LearnPage() {
  const t = text.learn.tabs;
  return (
    <Page title={text.learn.title} lead={text.learn.lead}>
      <nav className="tabs" aria-label={text.learn.title}>
        <Link to="/learn/new">{t.new}</Link>
        <Link to="/learn/active">{t.active}</Link>
        <Link to="/learn/pending">{t.pending}</Link>
        <Link to="/learn/mined">{t.mined}</Link>
        <Link to="/learn/history">{t.history}</Link>
      </nav>
      <Outlet />
    </Page>
  );
}
