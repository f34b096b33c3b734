// The tests that `npm test quick` leaves out: most of the time of all unit tests. They start a telemetry engine or a
// PostgreSQL of their own, compare with the clients of other products, sign in many times, or simulate thousands of rollouts.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folders = [
  'test/contracts/',
  'packages/server/src/organisation/provisioning/',
  'packages/server/src/organisation/second-factor/',
  'packages/server/src/organisation/sign-in-providers/',
  'packages/server/src/platform/data-folder/',
  'packages/server/src/platform/engines/',
  'packages/server/src/platform/backups/',
]

/** Simulations, and programs and servers that are started and killed. */
const long = [
  'packages/node/src/flags.test.ts',
  'packages/server/src/app/host/run.test.ts',
  'packages/server/src/guard/rollouts/locks.test.ts',
  'packages/server/src/guard/rollouts/served.test.ts',
  'packages/server/src/organisation/audit/note-refusal.test.ts',
  'packages/core/src/guard/aa-test/aa-test.test.ts',
  'packages/core/src/guard/back-test/back-test.test.ts',
  'packages/core/src/guard/back-test/stage-power.test.ts',
  'packages/core/src/guard/denominator-shift.test.ts',
  'packages/core/src/guard/experiment/experiment.test.ts',
  'packages/core/src/guard/rank-suspects.test.ts',
  'packages/core/src/statistics/rounded-values.test.ts',
  'packages/core/src/statistics/simulated.test.ts',
  'packages/core/src/statistics/stratified.test.ts',
]

/** In a test or in the stage that it imports. */
const startsEngine =
  /telemetry: true|ownEngines|openIntakeStage|openByHandStage|startGuardedShop|createStore\b|test\/(guard|intake|telemetry)\/|testing\/stage\.ts|engines\/\w+\/start\.ts/

/** Paths from the root, for Vitest to exclude. */
export function findSlowTests(root: string): string[] {
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/src`)
  const files = [...packages, 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.test.ts'))
      .map((path) => `${folder}/${path}`),
  )
  return [
    ...long,
    ...folders.map((folder) => `${folder}**`),
    ...files.filter((file) => startsEngine.test(readFileSync(join(root, file), 'utf8'))),
  ]
}
