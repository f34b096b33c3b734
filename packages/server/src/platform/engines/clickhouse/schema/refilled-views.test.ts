import { expect, test } from 'vitest'
import { prepareStore } from '../prepare-store.ts'
import { renderInsert } from '../telemetry.ts'
import { openStage, requirePid } from '../testing/stage.ts'
import { migrations } from './migrations.ts'
import { renderSteps } from './render-statements.ts'
import { sessionsView } from './sessions.ts'

const session = '01a21d6f-4043-7390-823e-6cfe7fc5a267'
const columns = ['environment_id', 'event_id', 'session_id', 'ts', 'kind'] as const
const row = [session, session, session, '2026-11-27 12:00:00.000', 'view']

test('an insert repeated after a restart is counted once, also by views changed in a migration', async () => {
  await using stage = await openStage()
  const { engine, store, until } = await stage.start()
  const placing = { database: 'telltale' }
  await prepareStore({ store, placing, migrations, withLock: (work) => work() })
  const text = renderInsert({ table: 'events', columns, token: 'repeated' }, { isCluster: false })
  const insert = () =>
    store.insert(text.replace('INTO events', 'INTO telltale.events'), Buffer.from(JSON.stringify(row)))
  await insert()
  process.kill(requirePid(engine), 'SIGKILL')
  await until('running')
  await insert()

  const [found] = await store.read<Record<string, string>>(
    `SELECT (SELECT count() FROM telltale.events) AS events, (SELECT sum(events) FROM telltale.sessions) AS sessions`,
  )
  expect(found).toEqual({ events: '1', sessions: '1' })
})

test('a migration interrupted while a view was renamed is run again', async () => {
  await using stage = await openStage()
  const { store } = await stage.start()
  const placing = { database: 'telltale' }
  await prepareStore({ store, placing, migrations, withLock: (work) => work() })
  await store.command('RENAME TABLE telltale.sessions_mv TO telltale.sessions_mv_aside')
  const again = { name: 'again', steps: [{ refilled: sessionsView }] }
  for (const statement of renderSteps(again.steps, placing)) await store.command(statement)
  const views = await store.read<{ name: string }>(
    "SELECT name FROM system.tables WHERE database = 'telltale' AND name LIKE 'sessions_mv%'",
  )
  expect(views).toEqual([{ name: 'sessions_mv' }])
})

test('a store without a column gets it before earlier migrations change views that name it', async () => {
  await using stage = await openStage()
  const { store } = await stage.start()
  const prepare = (list: typeof migrations) =>
    prepareStore({
      ...{ store, placing: { database: 'telltale' }, migrations: list },
      withLock: (work) => work(),
    })
  await prepare(migrations.slice(0, 9))
  // As its tables and the view were then.
  await store.command('DROP TABLE telltale.sessions_mv SYNC')
  for (const table of ['events', 'sessions'])
    for (const column of ['replay_inclusion', 'profile_inclusion'])
      await store.command(`ALTER TABLE telltale.${table} DROP COLUMN ${column}`)
  const select = sessionsView
    .select('telltale.events')
    .replace(/,\s+max\(e\.replay_inclusion\).*AS profile_inclusion/, '')
  await store.command(`CREATE MATERIALIZED VIEW telltale.sessions_mv TO telltale.sessions AS ${select}`)
  const { migrated } = await prepare(migrations)
  expect(migrated.slice(0, 2)).toEqual(['0010-events-sampled', '0011-inclusion'])
  const tables = await store.read<{ place: string }>(
    "SELECT table AS place FROM system.columns WHERE database = 'telltale' AND name = 'replay_inclusion' AND table NOT LIKE '%mv%' ORDER BY table",
  )
  expect(tables.map(({ place }) => place)).toEqual(['events', 'events_sampled', 'sessions'])
})
