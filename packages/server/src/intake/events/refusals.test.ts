// When the server is out of capacity: it refuses before the batch is lost, pages can read the reason, and accepted data
// is kept.

import { afterEach, describe, expect, test } from 'vitest'
import { profile, segment, sendAttachment } from '../../../../../test/intake/attachments.ts'
import { sendOtlp } from '../../../../../test/intake/otlp.ts'
import { context, event, send, toLines, views } from '../../../../../test/intake/visitor.ts'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'

let telltale: Telltale
let owner: SomePerson
afterEach(() => telltale?.[Symbol.asyncDispose]())

/** Without an engine, everything stays in the spool. */
async function start(settings: Record<string, string>): Promise<string> {
  telltale = await startTelltale({ settings })
  await telltale.project('shop')
  owner = await telltale.person({ role: 'owner' })
  const path = '/api/v1/projects/shop/environments/development/keys'
  const { body } = await telltale.request('GET', path, { as: owner })
  return body.items.find(({ kind }: { kind: string }) => kind === 'client').value
}

const custom = (count: number) =>
  Array.from({ length: count }, () => event('custom', { name: 'a', target: 'x' }))

test('a full spool rejects details first, then everything, and reports it', async () => {
  const key = await start({ TELLTALE_SPOOL_SIZE: '65536' })
  const post = (lines: object[]) =>
    send(telltale.url, toLines([context(), ...lines]), { key, headers: { origin: 'https://shop.example' } })
  let answer = await post(custom(10))
  while (answer.status === 202) answer = await post(custom(10))
  expect(answer).toMatchObject({
    status: 503,
    body: { type: '/errors/spool-full', lanes: ['replay', 'profile', 'detail'] },
  })
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  const ready = await telltale.request('GET', '/health/ready')
  expect(ready.body.degraded).toContain('spool')

  // One event of the last lane is still accepted, until that is full as well.
  expect((await post(views(1))).status).toBe(202)
  answer = await post(views(10))
  while (answer.status === 202) answer = await post(views(10))
  expect(answer.body.lanes).toContain('essential')
})

describe('an environment beyond its quota', () => {
  test('is slowed down', async () => {
    const key = await start({ TELLTALE_INTAKE_RATE: '2' })
    const post = () => send(telltale.url, toLines([context(), ...views(1)]), { key })
    expect([(await post()).status, (await post()).status]).toEqual([202, 202])
    const answer = await post()
    expect(answer).toMatchObject({ status: 429, body: { type: '/errors/rate-limited' } })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    telltale.passTime(61_000)
    expect((await post()).status).toBe(202)
  })

  test('and does not listen, is refused without reading what it sends, and counted', async () => {
    await start({ TELLTALE_INTAKE_RATE: '2' })
    const keys = '/api/v1/projects/shop/environments/development/keys'
    const { value } = (
      await telltale.request('POST', keys, { as: owner, body: { kind: 'server', label: 'collector' } })
    ).body
    const { memory, intake } = telltale.running.services
    // No spans, but a body that would have to be unpacked.
    const body = Buffer.alloc(2 * 1_024 * 1_024, ' ')
    const headers = { authorization: `Bearer ${value}` }
    let most = 0
    const sendAlways = async (times: number) => {
      const statuses: number[] = []
      for (let turn = 0; turn < times; turn++) {
        const answer = await sendOtlp(telltale.url, { path: '/v1/traces', body: '{}', headers })
        const flood = await sendOtlp(telltale.url, { path: '/v1/traces', body, headers })
        statuses.push(answer.status, flood.status)
        most = Math.max(most, memory.condition().usedBytes)
        expect(Number(flood.headers.get('retry-after'))).toBeGreaterThan(0)
      }
      return statuses
    }
    await sendOtlp(telltale.url, { path: '/v1/traces', body: '{}', headers })
    await sendOtlp(telltale.url, { path: '/v1/logs', body: '{}', headers })
    const floods = await Promise.all(Array.from({ length: 4 }, () => sendAlways(8)))
    expect(new Set(floods.flat())).toEqual(new Set([429]))
    expect(intake.outcomes.totals().get('rate_limited')).toBe(4 * 8 * 2)
    expect(most).toBe(0)
    expect((await telltale.request('GET', '/health/ready')).status).toBe(200)
  })

  test('has used up its day, until the next one', async () => {
    const key = await start({ TELLTALE_INTAKE_QUOTA: '500' })
    const post = () => send(telltale.url, toLines([context(), ...views(5)]), { key, sent: 'never' })
    expect((await post()).status).toBe(202)
    const answer = await post()
    expect(answer).toMatchObject({ status: 429, body: { type: '/errors/quota-exceeded' } })
    expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(86_400)
    // Replays and profiles of the same day.
    for (const [kind, body] of [
      ['replay', segment()],
      ['profile', profile()],
    ] as const) {
      const refused = await sendAttachment(telltale.url, { kind, body, key })
      expect(refused).toMatchObject({ status: 429, body: { type: '/errors/quota-exceeded' } })
    }
    telltale.passTime(86_400_000)
    expect((await post()).status).toBe(202)
  })
})
