import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongFirst } from './test/long-first.ts'
import { findSlowTests } from './test/slow-tests.ts'

/** Most talk to a real PostgreSQL: on a slow or busy machine a minute is not enough for the longest. */
const slow = 240_000

// Tests of the server wait for their engines half of the time.
const maxWorkers = Math.max(3, availableParallelism())

/** One process runs many files: reading and compiling the whole server took longer than most of its tests. */
const together = { isolate: false, maxWorkers }

/** Their code keeps state in its modules, as a page does: every file gets its own. */
const ofPages = 'packages/sdk/src/**/*.test.ts'

const leftOut = process.env.TELLTALE_TEST_QUICK ? findSlowTests(import.meta.dirname) : []

/** Tests of questions to the telemetry store, which give the same answers on one server and on a cluster. */
const askedOfClusters = [
  'packages/server/src/monitoring/{explore,funnels,sessions}/by-hand.test.ts',
  'packages/server/src/monitoring/issues/merge-by-hand.test.ts',
  'packages/server/src/guard/evidence/by-hand.test.ts',
]

export default defineConfig({
  test: {
    // What one stage of a run transformed, every worker of the later ones reads.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.vitest-modules' },
    maxWorkers,
    provide: { onCluster: false },
    // Here and in no project: the engines are started once for all of them.
    globalSetup: ['test/memory-folder.ts', 'test/postgres.ts', 'test/clickhouse.ts'],
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          ...together,
          name: 'unit',
          include: [
            'packages/*/src/**/*.test.ts',
            'demo/**/*.test.ts',
            'scripts/**/*.test.mjs',
            'test/*.test.ts',
            'test/contracts/**/*.test.ts',
          ],
          exclude: [ofPages, ...leftOut],
          testTimeout: slow,
          hookTimeout: slow,
        },
      },
      {
        test: {
          maxWorkers,
          name: 'pages',
          include: [ofPages],
          testTimeout: slow,
          hookTimeout: slow,
        },
      },
      {
        test: {
          ...together,
          name: 'cluster',
          include: ['test/cluster/**/*.test.ts', ...askedOfClusters],
          provide: { onCluster: true },
          testTimeout: slow,
          hookTimeout: slow,
        },
      },
      {
        test: {
          name: 'packages',
          include: ['test/packages/**/*.test.ts'],
          testTimeout: 5 * slow,
          hookTimeout: 3 * slow,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'survival',
          include: ['test/survival/**/*.test.ts'],
          testTimeout: 5 * slow,
          hookTimeout: slow,
          // Their servers are killed and restarted, so most of the time they wait.
          maxWorkers: 2,
        },
      },
    ],
  },
})
