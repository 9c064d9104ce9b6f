// Builds the dashboard. Assets have addresses relative to the page or to each other, because the service may be published
// under a path; nothing is inlined, because the content security policy allows only files of the service.

import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The service that `npm run dev -w dashboard` passes requests to. */
const service = process.env['DOCENT_URL'] ?? 'http://127.0.0.1:4100'

export default defineConfig({
  base: './',
  plugins: [react(), tailwindcss()],
  build: {
    target: 'es2024',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    reportCompressedSize: false,
  },
  worker: { format: 'es' },
  server: { proxy: { '/v1': service, '/v2': service } },
})
