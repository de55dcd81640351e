import { cleanup, configure } from "@testing-library/react";
import { afterEach, vi } from "vitest";

// Waiting ends when the condition holds; the bound is for what never comes, on a busy machine too.
configure({ asyncUtilTimeout: 30_000 });

// Each test file loads its own modules, without the mocks of another file.
vi.resetModules();

// jsdom lays nothing out, so there are no sizes to observe.
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

// All test files share one document.
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  localStorage.clear();
  sessionStorage.clear();
  document.body.replaceChildren();
});
