// Bundles each library's widgets (src/NAME.js or .jsx) into dist, with its styles. What all pages share is served by the site itself.
import { build } from 'esbuild';
import sveltePlugin from 'esbuild-svelte';
import { readdirSync, mkdirSync, writeFileSync, existsSync } from 'node:fs';

mkdirSync('dist', { recursive: true });
const wanted = process.argv.slice(2);
let failed = 0;
for (const file of readdirSync('src').filter((f) => /\.jsx?$/.test(f) && !f.startsWith('_'))) {
  const name = file.replace(/\.jsx?$/, '');
  if (wanted.length && !wanted.includes(name)) continue;
  try {
    await build({
      entryPoints: [`src/${file}`],
      bundle: true,
      format: 'esm',
      outfile: `dist/${name}.js`,
      external: ['/page/plain.js'],
      minify: true,
      logLevel: 'error',
      banner: { js: 'globalThis.process ??= { env: {} };' },
      jsx: 'automatic',
      define: {
        'process.env.NODE_ENV': '"production"',
        __VUE_OPTIONS_API__: 'true',
        __VUE_PROD_DEVTOOLS__: 'false',
        __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
      },
      loader: {
        '.woff': 'dataurl',
        '.woff2': 'dataurl',
        '.ttf': 'dataurl',
        '.eot': 'dataurl',
        '.svg': 'dataurl',
        '.png': 'dataurl',
        '.gif': 'dataurl',
      },
      mainFields: ['svelte', 'browser', 'module', 'main'],
      conditions: ['svelte', 'browser', 'production'],
      plugins: [sveltePlugin({ compilerOptions: { css: 'injected' } })],
    });
    if (!existsSync(`dist/${name}.css`)) writeFileSync(`dist/${name}.css`, '');
    console.log('built', name);
  } catch (e) {
    failed++;
    console.error('not built:', name, String(e.message).slice(0, 400));
  }
}
process.exit(failed ? 1 : 0);
