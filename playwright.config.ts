import { defineConfig } from '@playwright/test'
import { chromiumArguments, findChromium } from './test/browser/chromium.ts'

// Three workers: most of the time a browser waits. A test that passes only when tried again is said at the end of the run.
export default defineConfig({
  projects: [
    { name: 'console', testDir: 'test/browser' },
    // On demand: it installs 220 MB of applications.
    ...(process.env.TELLTALE_TEST_REPLAYED
      ? [{ name: 'replayed', testDir: 'test/replayed-applications' }]
      : []),
    { name: 'guides', testDir: 'test/applications', testMatch: 'guide.spec.ts' },
    // Last: its slow pages keep the processors busy while other tests measure time. Minutes each, so tried again only once.
    {
      name: 'visits',
      testDir: 'test/applications',
      testIgnore: 'guide.spec.ts',
      retries: process.env.CI ? 1 : 0,
    },
  ],
  testMatch: '*.spec.ts',
  globalSetup: './test/browser/engines.ts',
  outputDir: 'test-results',
  workers: 3,
  retries: process.env.CI ? 2 : 0,
  // For a machine that is slow or busy: what passes takes no longer.
  timeout: 90_000,
  expect: { timeout: 25_000 },
  forbidOnly: Boolean(process.env.CI),
  // npm test names the file of the second report in PLAYWRIGHT_JSON_OUTPUT_FILE.
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ? [['line'], ['json']] : 'line',
  use: {
    screenshot: 'only-on-failure',
    // A click waits for whatever moves.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: { executablePath: findChromium(), args: chromiumArguments },
  },
})
