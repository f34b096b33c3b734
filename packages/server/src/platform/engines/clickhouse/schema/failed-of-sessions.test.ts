// Migration of sessions that counted failed assets among their failed requests.

import { expect, test } from 'vitest'
import { createStore } from '../../../../../../../test/clickhouse.ts'
import { openClickhouse } from '../open.ts'
import { prepareStore } from '../prepare-store.ts'
import type { ViewDefinition } from './definition.ts'
import { migrations } from './migrations.ts'
import { renderSteps } from './render-statements.ts'
import { sessionsView } from './sessions.ts'

const environment = '0190b3a4-0000-7000-8000-000000000001'
const sessions = {
  before: '0190b3a4-0000-7000-8000-00000000000a',
  after: '0190b3a4-0000-7000-8000-00000000000b',
}

test('after the migration a session has no more failed requests than requests, and old sessions stay', async () => {
  const at = migrations.findIndex(({ name }) => name === '0004-failed-of-sessions')
  expect(at).toBeGreaterThan(0)
  const place = await createStore()
  const placing = { database: place.target.database ?? '' }
  const store = openClickhouse(() => ({ ...place.target, database: placing.database }))
  const bare = openClickhouse(() => ({ ...place.target, database: 'default' }))
  const prepare = (known: typeof migrations) =>
    prepareStore({ store: bare, placing, migrations: known, withLock: (work) => work() })
  const fail = (session: string) =>
    store.command(
      `INSERT INTO events (environment_id, kind, ts, session_id, event_id, res_type, res_endpoint, res_failed) SELECT
        '${environment}', 'resource', now64(3), '${session}', generateUUIDv4(number),
        if(number = 0, 'fetch', 'img'), if(number = 0, '/api/cart', ''), 1 FROM numbers(3)`,
    )
  const countsOf = async (session: string) => {
    const [row] = await store.read<{ requests: string; failed: string }>(
      `SELECT sum(requests) AS requests, sum(failed) AS failed FROM sessions WHERE session_id = '${session}'`,
    )
    return { requests: Number(row?.requests), failed: Number(row?.failed) }
  }
  try {
    await prepare(migrations.slice(0, at))
    const former: ViewDefinition = {
      ...sessionsView,
      select: (events) =>
        sessionsView.select(events).replace("AND e.res_endpoint != '' AND e.res_failed", 'AND e.res_failed'),
    }
    for (const statement of renderSteps([{ refilled: former }], placing)) {
      await bare.command(statement)
    }
    await fail(sessions.before)
    expect(await countsOf(sessions.before)).toEqual({ requests: 1, failed: 3 })

    expect((await prepare(migrations)).migrated).toContain('0004-failed-of-sessions')
    await fail(sessions.after)
    expect(await countsOf(sessions.after)).toEqual({ requests: 1, failed: 1 })
    expect(await countsOf(sessions.before)).toEqual({ requests: 1, failed: 3 })
  } finally {
    await store.close()
    await bare.close()
    await place.drop()
  }
})
