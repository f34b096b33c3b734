import { defineConfig } from '@playwright/test'
import browserTests from '../../playwright.config.ts'

// Apart from the other browser tests: they install Next, and are not exact yet on a machine that is busy with other work.
export default defineConfig({ ...browserTests, testDir: '.', outputDir: '../../test-results', workers: 1 })
