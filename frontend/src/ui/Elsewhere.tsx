// A link out of the app. The window's web view shows no other sites, so there the system's browser opens it.
import type { ReactNode } from "react";
import { inWindow } from "../api/login";

interface Toolkit {
  BrowserOpenURL(url: string): void;
}

/** Whether an address can be opened from here: never a script. */
export const opens = (url: string) => URL.canParse(url) && ["https:", "http:"].includes(new URL(url).protocol);

export function Elsewhere({ to, className, children }: { to: string; className?: string; children: ReactNode }) {
  if (!opens(to)) return <span>{children}</span>;
  return (
    <a
      href={to}
      target="_blank"
      rel="noopener noreferrer"
      className={className}
      onClick={(e) => {
        const toolkit = inWindow ? (window as { runtime?: Toolkit }).runtime : undefined;
        if (!toolkit) return;
        e.preventDefault();
        toolkit.BrowserOpenURL(to);
      }}
    >
      {children}
    </a>
  );
}
