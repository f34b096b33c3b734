// Migration of events from before views had variations.

import { expect, test } from 'vitest'
import { createStore } from '../../../../../../../test/clickhouse.ts'
import { openClickhouse } from '../open.ts'
import { prepareStore } from '../prepare-store.ts'
import { migrations } from './migrations.ts'
import { renderSteps } from './render-statements.ts'

const environment = '0190b3a4-0000-7000-8000-000000000001'
const views = {
  before: '0190b3a4-0000-7000-8000-00000000000a',
  after: '0190b3a4-0000-7000-8000-00000000000b',
}

test('after the migration earlier views have their variations too, however often it runs', async () => {
  const at = migrations.findIndex(({ name }) => name === '0005-view-flags')
  expect(at).toBeGreaterThan(0)
  const place = await createStore()
  const placing = { database: place.target.database ?? '' }
  const store = openClickhouse(() => ({ ...place.target, database: placing.database }))
  const bare = openClickhouse(() => ({ ...place.target, database: 'default' }))
  const prepare = (known: typeof migrations) =>
    prepareStore({ store: bare, placing, migrations: known, withLock: (work) => work() })
  const read = (view: string, flags: readonly string[]) =>
    store.command(
      `INSERT INTO events (environment_id, kind, ts, session_id, event_id, view_id, flags) SELECT
        '${environment}', 'view', now64(3), '${environment}', generateUUIDv4(), '${view}', [${flags.map((pair) => `'${pair}'`).join(', ')}]`,
    )
  const flagsOf = async (view: string) => {
    const [row] = await store.read<{ flags: string[] }>(
      `SELECT arraySort(groupUniqArrayArray(flags)) AS flags FROM view_flags WHERE view_id = '${view}'`,
    )
    return row?.flags
  }
  try {
    await prepare(migrations.slice(0, at))
    await read(views.before, [])
    await read(views.before, ['banner=off', 'checkout=new'])
    await read(views.before, ['banner=off', 'checkout=old'])

    expect((await prepare(migrations)).migrated).toContain('0005-view-flags')
    const [migration] = migrations.slice(at)
    if (migration === undefined) throw new Error('there is no such migration')
    for (const statement of renderSteps(migration.steps, placing)) await bare.command(statement)
    await read(views.before, ['checkout=third'])
    await read(views.after, ['checkout=new'])

    expect(await flagsOf(views.before)).toEqual([
      'banner=off',
      'checkout=new',
      'checkout=old',
      'checkout=third',
    ])
    expect(await flagsOf(views.after)).toEqual(['checkout=new'])
  } finally {
    await store.close()
    await bare.close()
    await place.drop()
  }
})
