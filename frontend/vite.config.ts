import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// Assets are never inlined: the page's content security policy allows files of its own origin and nothing else.
export default defineConfig({
  plugins: [react()],
  build: {
    outDir: "../app/web/dist",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    sourcemap: false,
    chunkSizeWarningLimit: 900,
    target: "es2022",
  },
  // A bound for what hangs, not for what is slow.
  test: { environment: "jsdom", testTimeout: 60_000, include: ["src/**/*.test.{ts,tsx}"] },
});
