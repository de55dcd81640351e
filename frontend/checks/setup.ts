import { cleanup, configure } from "@testing-library/react";
import { afterEach, vi } from "vitest";

// Waiting ends when the condition holds; the bound is for what never comes, on a busy machine too.
configure({ asyncUtilTimeout: 30_000 });

// Modules that another file has mocked are not this one's.
vi.resetModules();

// There is no layout here, so nothing is measured.
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

// All files share one page.
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  localStorage.clear();
  sessionStorage.clear();
  document.body.replaceChildren();
});
