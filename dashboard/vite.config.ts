// Builds the dashboard. Assets have addresses relative to the page or to each other, because the service may be published
// under a path; nothing is inlined, because the content security policy allows only files of the service.

import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
import { isSource } from '../src/service/dashboard-build.ts'

/** The service that `npm run dev -w dashboard` passes requests to. */
const service = process.env['DOCENT_URL'] ?? 'http://127.0.0.1:4100'

const packages =
  'react|react-dom|scheduler|@tanstack/(?:(?:react-)?(?:query(?:-core)?|router(?:-core)?|store)|history)|openapi-fetch|clsx|class-variance-authority|tailwind-merge'
const parts =
  '(api/[a-z/-]+|base|load-part|theme|features/[a-z/-]+/(range|steps|sections|address)|ui/(badge|button|cn|copy|notice|overlay/(menu-button|toast)|page|relative-time|table))'

/** Every page needs these: in one file they are one request, and change less often than the pages. */
function isFrame(id: string): boolean {
  return new RegExp(`/node_modules/(?:${packages})/|vite/preload-helper|/dashboard/src/${parts}\\.tsx?$`).test(id)
}

const replaced = (name: string) =>
  fileURLToPath(new URL(`./src/features/import/worker/node/${name}.ts`, import.meta.url))

/** Refuses a file of the service that the hash of a build does not cover: a change in it would not be built. */
const hashed: Plugin = {
  name: 'hashed',
  load(id) {
    if (/\/src\/.*\.ts$/.test(id) && !id.includes('/node_modules/') && !isSource(id))
      this.error(`${id} is not among the sources in src/service/dashboard-build.ts.`)
  },
}

export default defineConfig({
  base: './',
  // The two functions of Node that reading a log needs.
  resolve: { alias: { 'node:crypto': replaced('crypto'), 'node:net': replaced('net') } },
  plugins: [react(), tailwindcss()],
  build: {
    target: 'es2024',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'frame', test: isFrame }] } } },
  },
  worker: { format: 'es', plugins: () => [hashed] },
  server: { proxy: { '/v1': service, '/v2': service } },
})
