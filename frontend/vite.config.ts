import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

/** A class of a module, by the name of its file: the same in every build, so that tests and tools can name it. */
const scoped = (name: string, file: string) => `${/([\w-]+)\.module\.css/.exec(file)?.[1]}_${name}`;

// Assets are never inlined: the page's content security policy allows files of its own origin and nothing else.
export default defineConfig({
  plugins: [react()],
  css: { modules: { generateScopedName: scoped } },
  build: {
    outDir: "../app/web/dist",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    sourcemap: false,
    chunkSizeWarningLimit: 900,
    target: "es2022",
  },
  // A bound for hanging tests, not for slow ones.
  test: {
    environment: "jsdom",
    testTimeout: 60_000,
    isolate: false, // a document for each file takes five times as long as the tests
    setupFiles: ["checks/setup.ts"],
    include: ["src/**/*.test.{ts,tsx}", "checks/*.test.mjs"],
    css: { modules: { classNameStrategy: "non-scoped" } },
  },
});
