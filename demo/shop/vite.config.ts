import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  base: '/demo/',
  plugins: [react()],
  build: {
    // The content security policy refuses data: URLs and inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // For whoever looks for the mistakes that are left in it; browsers are not told of the maps.
    sourcemap: 'hidden',
    rollupOptions: {
      output: {
        // Here the library stands beside the shop; whoever installed it has it among the others.
        sourcemapPathTransform: (path) =>
          path.replace(/^.*packages\/sdk\//, 'node_modules/@telltale/browser/'),
      },
    },
  },
})
