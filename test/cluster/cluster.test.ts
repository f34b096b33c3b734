// The server on a cluster of three shards: what it writes is spread over them and read as one, a shard that dies loses
// and doubles nothing, and while one is away no answer is made of the others alone.

import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrations } from '../../packages/server/src/platform/engines/clickhouse/schema/migrations.ts'
import { type IntakeStage, openIntakeStage, untilWritten } from '../intake/stage.ts'
import { context, send, toLines, views } from '../intake/visitor.ts'
import { startTelltale, type Telltale } from '../start.ts'
import { createStoreOn, type TestStore } from '../store.ts'
import { type Cluster, clusterName, startCluster } from './start-cluster.ts'

const place = '/api/v1/projects/shop/environments/development'
const visitors = 60
const eventsEach = 5

let cluster: Cluster
let store: TestStore
let stage: IntakeStage
let telltale: Telltale
let key: string

beforeAll(async () => {
  cluster = await startCluster()
  store = createStoreOn({ url: cluster.url }, clusterName)
  stage = await openIntakeStage({}, store)
  telltale = stage.telltale
  key = await stage.clientKey('development')
})
afterAll(async () => {
  await telltale?.[Symbol.asyncDispose]()
  await cluster?.[Symbol.asyncDispose]()
})

/** The rows of each shard, without the others. */
async function onEachShard(statement: string): Promise<number[]> {
  const answers = cluster.nodes.map(async ({ url }) => {
    const answer = await fetch(`${url}/?database=${store.target.database}`, {
      method: 'POST',
      body: statement,
    })
    if (!answer.ok) throw new Error(await answer.text())
    return Number(await answer.text())
  })
  return Promise.all(answers)
}

/** One batch of a visitor, whose session is returned. */
async function visit(number: number): Promise<string> {
  const session = newId()
  const about = context({ session, anonymousId: `visitor-${number}` })
  const answer = await send(telltale.url, toLines([about, ...views(eventsEach)]), { key })
  expect([answer.status, answer.body.rejected ?? []]).toEqual([202, []])
  return session
}

const countOf = async (sessions: readonly string[]) => {
  const [found] = await telltale.running.services.telemetry.read<{
    events: string
    doubled: string
    sessions: string
  }>(
    `SELECT count() AS events, count() - uniqExact(event_id) AS doubled, uniqExact(session_id) AS sessions
    FROM events WHERE session_id IN {sessions:Array(UUID)}`,
    { values: { sessions } },
  )
  return found
}
const whole = (count: number) => ({
  events: String(count * eventsEach),
  doubled: '0',
  sessions: String(count),
})

test('every shard has all tables and views', async () => {
  const names = migrations
    .flatMap(({ steps }) => steps)
    .flatMap((step) => ('table' in step ? [step.table.name] : []))
  const list = names.map((name) => `'${name}', '${name}_local'`).join(', ')
  const found = await onEachShard(
    `SELECT count() FROM system.tables WHERE database = currentDatabase() AND name IN (${list})`,
  )
  expect(found).toEqual(cluster.nodes.map(() => 2 * names.length))
})

test('visitors are spread over the shards, each with all of its rows, and are read as one', async () => {
  const sessions = await Promise.all(Array.from({ length: visitors }, (_, number) => visit(number)))
  await untilWritten(telltale)
  const shares = await onEachShard('SELECT uniqExact(session_id) FROM events_local')
  expect(Math.min(...shares)).toBeGreaterThan(0)
  expect(shares.reduce((sum, share) => sum + share, 0)).toBe(visitors)
  expect(await onEachShard('SELECT uniqExact(session_id) FROM sessions_local')).toEqual(shares)
  expect(await countOf(sessions)).toEqual(whole(visitors))
})

test('a user is erased on the shard that has them', async () => {
  const [erased, other] = [await visit(1_000), await visit(1_001)]
  await untilWritten(telltale)
  const requested = await telltale.request('POST', `${place}/erasures`, {
    ...{ as: stage.owner, body: { anonymousId: 'visitor-1000' } },
  })
  const state = async () =>
    (await telltale.request('GET', `${place}/erasures/${requested.body.id}`, { as: stage.owner })).body.state
  await expect.poll(state, { timeout: 60_000 }).toBe('erased')
  expect([await countOf([erased]), await countOf([other])]).toMatchObject([{ events: '0' }, whole(1)])
  const left = await onEachShard(`SELECT count() FROM sessions_local WHERE session_id = '${erased}'`)
  expect(left).toEqual([0, 0, 0])
})

test('while a shard is away nothing is shown of a part, and what arrives is stored once when it is back', async () => {
  const [, lost] = cluster.nodes
  const sessions = await Promise.all(Array.from({ length: visitors }, (_, number) => visit(number)))
  await lost?.kill()
  const overview = `${place}/overview`
  const refused = await telltale.request('GET', overview, { as: stage.owner })
  expect([refused.status, refused.body.type]).toEqual([503, '/errors/engine-unavailable'])
  sessions.push(...(await Promise.all(Array.from({ length: visitors }, (_, number) => visit(number)))))
  await lost?.start()
  await untilWritten(telltale)
  expect(await countOf(sessions)).toEqual(whole(2 * visitors))
  expect((await telltale.request('GET', overview, { as: stage.owner })).status).toBe(200)
})

test('a shard that is added gets its tables at the next start, and its share of what comes', async () => {
  await telltale.running.stop()
  await cluster.addShard()
  telltale = await startTelltale({ again: { after: telltale, database: telltale.database } })
  await telltale.running.services.telemetry.untilUsable()
  const earlier = await countAll()
  for (let number = 0; number < visitors; number += 1) await visit(number)
  await untilWritten(telltale)
  expect(await countAll()).toBe(earlier + visitors * eventsEach)
  expect((await onEachShard('SELECT count() FROM sessions_local')).at(-1)).toBeGreaterThan(0)
})

async function countAll(): Promise<number> {
  const { telemetry } = telltale.running.services
  const [found] = await telemetry.read<{ n: string }>('SELECT count() AS n FROM events')
  return Number(found?.n)
}
