import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const slow = 120_000
/** Unit tests talk to a real PostgreSQL: on a busy machine five seconds are not enough. */
const patient = 60_000

export default defineConfig({
  test: {
    // Tests of the server wait for their engines half of the time.
    maxWorkers: Math.max(3, availableParallelism()),
    globalSetup: ['test/postgres.ts', 'test/clickhouse.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            'packages/*/src/**/*.test.ts',
            'demo/**/*.test.ts',
            'scripts/**/*.test.mjs',
            'test/*.test.ts',
          ],
          testTimeout: patient,
          hookTimeout: patient,
        },
      },
      {
        extends: true,
        test: {
          name: 'contract',
          include: ['test/contracts/**/*.test.ts'],
          testTimeout: slow,
          hookTimeout: slow,
        },
      },
      {
        extends: true,
        test: {
          name: 'survival',
          include: ['test/survival/**/*.test.ts'],
          testTimeout: 10 * slow,
          hookTimeout: slow,
          fileParallelism: false,
        },
      },
    ],
  },
})
