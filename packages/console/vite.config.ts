import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const server = process.env.TELLTALE_DEV_SERVER ?? 'http://127.0.0.1:4380'

export default defineConfig({
  plugins: [react(), tailwindcss()],
  build: {
    assetsDir: 'assets',
    // Our content security policy refuses data: URLs and inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': server } },
})
