import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  base: '/demo/',
  plugins: [react()],
  build: {
    // The content security policy refuses data: URLs and inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // For finding the deliberate bugs; browsers get no reference to the maps.
    sourcemap: 'hidden',
    rollupOptions: {
      output: {
        // In this repository the SDK is next to the shop; in an application it is in node_modules.
        sourcemapPathTransform: (path) =>
          path.replace(/^.*packages\/sdk\//, 'node_modules/@telltale/browser/'),
      },
    },
  },
})
