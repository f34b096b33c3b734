// A running rollout orders recordings of both arms: from counted sessions to the configuration of browsers, and back as
// recordings with their probability.

import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { segment, sendAttachment } from '../../../../../test/intake/attachments.ts'
import { untilWritten } from '../../../../../test/intake/stage.ts'
import { context, event, send, toLines } from '../../../../../test/intake/visitor.ts'
import { type Release, startRelease } from '../rollouts/testing/release.ts'
import { planRecordings } from './plan-recordings.ts'

let release: Release
let key: string
let environment: string
const env = '/environments/development'

/** Sessions of the last day: one in ten has the treatment, and one in twenty is on a tablet. */
const sessions = 1_300

beforeAll(async () => {
  release = await startRelease({ telemetry: true })
  const { body } = await release.ask('PATCH', env, { sampling: { session: 100, replay: 10, profile: 5 } })
  environment = body.id
  const keys = await release.ask('GET', `${env}/keys`)
  key = keys.body.items.find(({ kind }: { kind: string }) => kind === 'client').value
  await release.start(await release.flag('checkout'))
  const now = noon
  await release.telltale.running.services.telemetry.command(
    `INSERT INTO events (environment_id, kind, ts, event_id, session_id, view_id, user_hash, weight, page, device, version, flags)
    SELECT toUUID('${environment}'), 'view', fromUnixTimestamp64Milli(toInt64(${now} - 60000 - number * 60000)), generateUUIDv4(), generateUUIDv4(), generateUUIDv4(), number + 1, 1,
      if(number % 3 = 0, '/cart/:id', '/'), if(number % 20 = 0, 'tablet', 'desktop'), '1.0', [if(number % 10 = 0, 'checkout=on', 'checkout=off')]
    FROM numbers(${sessions})`,
  )
  // As many replays as the environment has sampled.
  await release.telltale.running.services.telemetry.command(
    `INSERT INTO replay_segments (environment_id, day, session_id, tab_id, segment_id, started, ended, bytes, inclusion)
    SELECT toUUID('${environment}'), toDate(at), generateUUIDv4(), generateUUIDv4(), generateUUIDv4(), at, at, 50000, 0.1
    FROM (SELECT fromUnixTimestamp64Milli(toInt64(${now} - 60000 - number * 600000), 'UTC') AS at FROM numbers(${sessions / 10}))`,
  )
  await plan()
}, 60_000)
afterAll(() => release?.[Symbol.asyncDispose]())

/** Of tomorrow: of a day that is nearly over little can be planned, and the server itself plans nothing before. */
const day = 86_400_000
const noon = Math.ceil(Date.now() / day) * day + day / 2
let plans = 0

async function plan() {
  const { services } = release.telltale.running
  plans += 1
  await planRecordings({ ...services, clock: () => new Date(noon + plans * 60_000) })
  await services.recordingPlans.refresh()
}

async function configuration() {
  const answer = await fetch(`${release.telltale.url}/sdk/v1/config?key=${key}`)
  return { tag: answer.headers.get('etag'), text: await answer.text() }
}

/** A session at this sample position, from 0 to 1. */
const sessionAt = (position: number) =>
  `${newId().slice(0, -8)}${Math.floor(position * 2 ** 32)
    .toString(16)
    .padStart(8, '0')}`

test('browsers learn which sessions of both arms are recorded more often, and all others give up as much', async () => {
  const { text } = await configuration()
  const { sampling, orders, reach } = JSON.parse(text)

  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_048)
  expect(orders.slice(0, 2)).toMatchObject([
    { flag: 'checkout', variation: 'on' },
    { flag: 'checkout', variation: 'off' },
  ])
  expect(orders[0].replay).toBeGreaterThan(orders[1].replay)
  expect(orders[1].replay).toBeGreaterThan(10)
  expect(reach).toBe(Math.max(...orders.map(({ replay }: { replay: number }) => replay)))
  expect(sampling.replay).toBeGreaterThanOrEqual(5)
  expect(sampling.replay).toBeLessThan(10)
})

test('the API says for what, how much is there, and what it costs', async () => {
  const { status, body } = await release.ask('GET', `${env}/recording-orders`)
  expect(status).toBe(200)
  expect(body).toMatchObject({ enabled: true, sampling: { replay: 10, profile: 5 } })
  expect(body.items).toMatchObject([{ kind: 'rollout', name: 'checkout' }])
  const [{ orders, parts }] = body.items
  expect(parts[0]).toMatchObject({ variation: 'on', page: null, replay: { recorded: 0, wanted: 30 } })
  expect(orders[0].cost.replay).toBeGreaterThan(10)
  expect(parts.map(({ device }: { device: string | null }) => device)).toContain('tablet')
})

test('recordings of an order are stored with their probability, and none above what was ordered', async () => {
  const { url } = release.telltale
  const { reach } = JSON.parse((await configuration()).text)
  const take = async (position: number, replay: number | undefined) => {
    const session = sessionAt(position)
    const inclusion = replay === undefined ? {} : { inclusion: { replay, profile: 0 } }
    const body = segment({ session, context: inclusion })
    const answer = await sendAttachment(url, { kind: 'replay', body, key })
    return { session, accepted: answer.body.accepted, reason: answer.body.dropped[0]?.reason }
  }
  const high = reach / 100
  const taken = await take(high - 0.05, high)
  expect(taken.accepted).toBe(1)
  expect(await take(high - 0.05, high - 0.1)).toMatchObject({ accepted: 0, reason: 'sampled_out' })
  expect(await take(high - 0.05, undefined)).toMatchObject({ accepted: 0, reason: 'sampled_out' })
  if (high < 0.99) expect(await take(high + 0.005, 1)).toMatchObject({ accepted: 0 })

  const session = sessionAt(0.01)
  const about = context({ session, inclusion: { replay: 0.4, profile: 0.02 } })
  await send(url, toLines([about, event('view')]), { key })
  await untilWritten(release.telltale)
  const read = <Row>(text: string) => release.telltale.running.services.telemetry.read<Row>(text)
  const [stored] = await read<{ p: number }>(
    `SELECT inclusion AS p FROM replay_segments WHERE session_id = toUUID('${taken.session}')`,
  )
  expect(stored?.p).toBeCloseTo(high, 5)
  const [row] = await read<{ replay: number; profile: number }>(
    `SELECT max(replay_inclusion) AS replay, max(profile_inclusion) AS profile FROM sessions WHERE session_id = toUUID('${session}')`,
  )
  expect(row?.replay).toBeCloseTo(0.4, 5)
  expect(row?.profile).toBeCloseTo(0.02, 5)
})

test('an environment can do without: all sessions have its rates again, and the change is in the audit log', async () => {
  const before = await configuration()
  await release.ask('PATCH', env, { recordingOrders: false })
  await plan()
  const { text, tag } = await configuration()
  expect(tag).not.toBe(before.tag)
  expect(JSON.parse(text)).toMatchObject({ sampling: { session: 100, replay: 10, profile: 5 } })
  expect(JSON.parse(text)).not.toHaveProperty('orders')
  expect((await release.ask('GET', `${env}/recording-orders`)).body).toMatchObject({
    enabled: false,
    items: [],
  })
  const audit = await release.ask('GET', '/audit?limit=5')
  expect(JSON.stringify(audit.body.items)).toContain('recordingOrders')
})
