import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { drawModules, withPicture } from './architecture/modules.ts'
import { readSource, readSources } from './architecture/read-sources.ts'
import { findViolations } from './architecture/rules.ts'
import type { Source } from './architecture/source.ts'

const root = join(import.meta.dirname, '..')
let sources: Source[]
beforeAll(() => {
  sources = readSources(root)
})

test('every import of every package follows the rules of docs/architecture.md', () => {
  expect(sources.length).toBeGreaterThan(20)
  expect(findViolations(sources)).toEqual([])
})

test('the diagram of the modules matches the imports: npm run docs', () => {
  const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
  expect(withPicture(text, drawModules(sources))).toBe(text)
})

test('rule 7: every package exports its source and nothing else', () => {
  for (const name of readdirSync(join(root, 'packages'))) {
    const manifest = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
    expect(manifest.exports, name).toEqual({ './*': './src/*.ts' })
  }
})

/** file, import statement, and the number of the rule that forbids it; none where it is allowed. */
const examples: [file: string, text: string, rule?: number][] = [
  ['core/src/guard/decide.ts', `import { env } from 'node:process'`, 1],
  ['core/src/guard/decide.ts', `import fs from 'fs'`, 1],
  ['core/src/guard/decide.ts', `import { Type } from 'typebox'`, 1],
  ['core/src/contract/flags.ts', `import { Type } from 'typebox'`],
  ['core/src/contract/flags.ts', `import { open } from '@telltale/server/http/auth'`, 1],
  ['core/src/contract/flags.ts', `export const now = Date.now()`, 1],
  ['core/src/contract/flags.ts', `export const today = new Date()`, 1],
  ['core/src/contract/flags.ts', `export const day = new Date(0)`],
  ['core/src/evaluation/evaluate.ts', `import { look } from '../statistics/mean.ts'`, 2],
  ['core/src/statistics/mean.ts', `import type { State } from '../states/flag.ts'`, 2],
  ['core/src/guard/decide.ts', `import { look } from '../statistics/mean.ts'`],
  ['core/src/states/flag.ts', `import { decide } from '../guard/decide.ts'`, 2],
  ['sdk/src/assemble.ts', `import { event } from '@telltale/core/contract/events'`, 3],
  ['sdk/src/assemble.ts', `import { event, type Event } from '@telltale/core/contract/events'`, 3],
  ['sdk/src/assemble.ts', `export { event } from '@telltale/core/contract/events'; export const a = 1`, 3],
  ['sdk/src/assemble.ts', `const late = await import('@telltale/core/contract/events')`, 3],
  ['sdk/src/assemble.ts', `import type { Event } from '@telltale/core/contract/events'`],
  ['sdk/src/assemble.ts', `import { type Event } from '@telltale/core/contract/events'`],
  ['sdk/src/assemble.ts', `type Event = import('@telltale/core/contract/events').Event`],
  ['sdk/src/assemble.ts', `import { limits } from '@telltale/core/limits'`],
  ['server/src/release/flags/archive.ts', `import { routes } from '../segments/routes.ts'`, 4],
  ['server/src/release/flags/archive.ts', `import { findSegment } from '../segments/queries.ts'`],
  ['server/src/app/app.ts', `import { routes } from '../release/segments/routes.ts'`],
  ['server/src/release/flags/archive.ts', `import pg from 'pg'`, 4],
  ['server/src/release/flags/queries.ts', `import { drizzle } from 'drizzle-orm/postgres-js'`, 4],
  ['server/src/release/flags/queries.ts', `import { eq } from 'drizzle-orm'`],
  ['server/src/platform/engines/postgres/open.ts', `import pg from 'pg'`],
  ['console/src/screens/flags/list.tsx', `import { Row } from '../issues/row.tsx'`, 5],
  ['console/src/screens/flags/list.tsx', `import { Row } from './row.tsx'`],
  ['console/src/screens.tsx', `import { List } from './screens/flags/list.tsx'`],
  ['console/src/ui/table.tsx', `import { listFlags } from '../api/flags.ts'`, 5],
  ['console/src/charts/time-chart.tsx', `import type { Flag } from '../api/flags.ts'`, 5],
  ['console/src/ui/menu.tsx', `import { useScope } from '../shell/scope-context.ts'`, 5],
  ['console/src/ui/overlay/menu.tsx', `import { Health } from '../../features/health/health.tsx'`, 5],
  ['console/src/shell/shell.tsx', `import { List } from '../screens/flags/list.tsx'`, 5],
  ['console/src/features/health/health.tsx', `import { List } from '../../screens/flags/list.tsx'`, 5],
  ['console/src/features/health/health.tsx', `import { useScope } from '../../shell/scope-context.ts'`],
  ['console/src/replay-player/main.ts', `import { request } from '../api/client.ts'`, 5],
  ['console/src/screens/sessions/run.ts', `import { play } from '../../replay-player/main.ts'`, 5],
  ['console/src/screens/sessions/run.ts', `import { greeting } from '../../replay-player/messages.ts'`],
  ['core/src/keys.ts', `export * from './limits.ts'`, 6],
  ['core/src/keys.ts', `export default 1`, 6],
  ['server/src/app/main.ts', `import { init } from '@telltale/browser/boot/init'`, 7],
  ['console/src/main.tsx', `import { init } from '@telltale/browser/boot/init'`],
  ['node/src/client.ts', `import type { Flag } from '@telltale/console/api/flags'`, 7],
  ['console/src/main.tsx', `import { limits } from '../../core/src/limits.ts'`, 7],
  ['server/src/app/serve.ts', `import { demo } from '../../../../demo/demo.ts'`, 7],
  ['cli/src/telltale.ts', `import { build } from '../../../scripts/build.ts'`, 7],
  // Each module reaching for the one above it, by a value or by a type alone.
  ['server/src/platform/http/server.ts', `import type { Services } from '../../app/services.ts'`, 8],
  ['server/src/platform/http/metrics.ts', `import type { Guard } from '../../guard/looks/guard.ts'`, 8],
  ['server/src/access/caller.ts', `import { findUser } from '../organisation/users/queries.ts'`, 8],
  [
    'server/src/organisation/environments/queries.ts',
    `import type { F } from '../../release/flags/flag.ts'`,
    8,
  ],
  ['server/src/release/flags/write-config.ts', `import { a } from '../../guard/rollouts/guard-write.ts'`, 8],
  [
    'server/src/release/flagsmith/flagsmith-request.ts',
    `import { b } from '../../intake/events/browsers.ts'`,
    8,
  ],
  ['server/src/intake/privacy/erasure.ts', `import { c } from '../../monitoring/issues/issue.ts'`, 8],
  ['server/src/monitoring/issues/issue.ts', `import type { D } from '../../guard/evidence/metric.ts'`, 8],
  ['server/src/guard/rollouts/queries.ts', `import { e } from '../../notify/channels/queries.ts'`, 8],
  ['server/src/notify/alerts/alert.ts', `const late = await import('../../app/regular-work.ts')`, 8],
  ['server/src/lost.ts', `import { log } from './platform/process/log.ts'`, 8],
  ['server/src/notify/alerts/alert.ts', `import { e } from '../channels/queries.ts'`],
  ['server/src/guard/looks/guard.ts', `import { readPage } from '../../platform/http/page.ts'`],
]

describe('each rule rejects its violations', () => {
  test.each(examples)('%s: %s', (file, text, rule) => {
    const broken = findViolations([readSource(`packages/${file}`, text)])
    const numbers = [...new Set(broken.map((line) => Number(line.match(/^rule (\d+)/)?.[1])))]
    if (rule === undefined) expect(broken).toEqual([])
    else expect(numbers).toContain(rule)
  })

  test.each([
    ['shop/telltale.ts', `import { init } from '@telltale/browser/telltale'`, 0],
    ['shop/telltale.ts', `import { init } from '@telltale/browser/boot/init'`, 1],
    ['visitors.ts', `import { init } from '@telltale/browser/telltale'`, 1],
    ['demo.ts', `import { evaluate } from '@telltale/core/evaluation/evaluate'`, 0],
    ['demo.ts', `import { change } from '@telltale/server/platform/engines/postgres/change'`, 1],
  ])('rule 7, in the demo: %s: %s', (file, text, count) => {
    expect(findViolations([readSource(`demo/${file}`, text)])).toHaveLength(count)
  })

  test('rule 6: a cycle is listed completely, and one of types alone is allowed', () => {
    const cycle = (typesOnly: boolean): Source[] => [
      { file: 'packages/core/src/guard/a.ts', imports: [{ specifier: './b.ts', typesOnly }] },
      { file: 'packages/core/src/guard/b.ts', imports: [{ specifier: './a.ts', typesOnly: false }] },
    ]
    expect(findViolations(cycle(false))).toEqual([
      'rule 6: packages/core/src/guard/a.ts → packages/core/src/guard/b.ts → packages/core/src/guard/a.ts (no cycles)',
    ])
    expect(findViolations(cycle(true))).toEqual([])
  })

  test('rule 9: folders have no cycles, not even by types', () => {
    const types = (specifier: string) => [{ specifier, typesOnly: true }]
    const planted: Source[] = [
      { file: 'packages/server/src/release/flags/flag.ts', imports: types('../segments/segment.ts') },
      { file: 'packages/server/src/release/segments/segment.ts', imports: [] },
      { file: 'packages/server/src/release/segments/use.ts', imports: types('../flags/flag.ts') },
    ]
    expect(findViolations(planted)).toEqual([
      'rule 9: server/release/flags → server/release/segments → server/release/flags (no cycles between folders)',
    ])
    expect(findViolations(planted.slice(0, 2))).toEqual([])
  })

  test('a file above 400 lines is rejected, unless its folder has generated text', () => {
    const long = (file: string): Source => ({ file, imports: [], lines: 401 })
    expect(findViolations([long('packages/core/src/keys.ts')])).toHaveLength(1)
    expect(findViolations([long('packages/server/src/engines/postgres/migrations/0000.ts')])).toEqual([])
  })
})
