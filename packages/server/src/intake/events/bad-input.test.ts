// Bad input on the real engine: an unreadable body is refused with the reason, and in a readable body one bad event
// never fails its batch.

import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { limits } from '@telltale/core/limits'
import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { environments, type IntakeStage, openIntakeStage } from '../../../../../test/intake/stage.ts'
import { context, event, type Line, toLines, views, zipped } from '../../../../../test/intake/visitor.ts'

let stage: IntakeStage

beforeAll(async () => {
  stage = await openIntakeStage()
})
afterAll(() => stage?.[Symbol.asyncDispose]())

describe('bad input', () => {
  const refusal = (status: number, code: string) => ({ status, body: { type: `/errors/${code}` } })

  test.each([
    [
      'broken deflate',
      Buffer.concat([zipped(views(50)).subarray(0, 90), randomBytes(50)]),
      [400, 'malformed-body'] as const,
    ],
    ['deflate that ends early', zipped(views(50)).subarray(0, 100), [400, 'malformed-body'] as const],
    [
      'a zip bomb',
      gzipSync(Buffer.alloc(limits.intakeInflatedSize + 1, ' ')),
      [413, 'payload-too-large'] as const,
    ],
    [
      'a zip bomb of one line',
      gzipSync(Buffer.alloc(limits.intakeInflatedSize + 1, 'x')),
      [413, 'payload-too-large'] as const,
    ],
    [
      '5 MiB and a byte',
      Buffer.alloc(limits.intakeCompressedSize + 1, '\n'),
      [413, 'payload-too-large'] as const,
    ],
    ['no JSON at all', Buffer.from('hello'), [400, 'malformed-body'] as const],
    ['nothing', Buffer.alloc(0), [400, 'malformed-body'] as const],
  ])('%s is rejected with an answer that pages of any site can read', async (_name, body, [status, code]) => {
    const answer = await stage.post(body, { headers: { origin: 'https://shop.example' } })
    expect(answer).toMatchObject(refusal(status, code))
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  })

  test('an unknown coding and an unknown method are refused', async () => {
    expect(await stage.post('x', { headers: { 'content-encoding': 'br' } })).toMatchObject(
      refusal(415, 'unsupported-encoding'),
    )
    const answer = await fetch(`${stage.telltale.url}/intake/v1/events`)
    expect(answer.status).toBe(405)
  })

  test('one bad event never costs its batch', async () => {
    let deep: unknown = 1
    for (let level = 0; level < 40; level++) deep = { deep }
    const year = 365 * 86_400_000
    const good = context()
    const bad: [reason: string, line: string | Buffer][] = [
      ['malformed', '{"kind":"view","id":'],
      ['malformed', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
      ['malformed', '[1,2]'],
      ['unknown_kind', JSON.stringify(event('teleport'))],
      ['invalid', JSON.stringify(event('view', { id: 'x' }))],
      ['invalid', JSON.stringify(event('vital', { name: 'LCP', value: -1 }))],
      [
        'invalid',
        JSON.stringify(event('vital', { name: 'LCP', value: 1 })).replace('"value":1', '"value":1e999'),
      ],
      ['too_deep', JSON.stringify(event('view', { deep }))],
      ['too_large', JSON.stringify(event('view', { text: 'x'.repeat(limits.eventSize) }))],
      ['unknown_context', JSON.stringify(event('view', { context: 7 }))],
      ['timestamp_out_of_range', JSON.stringify(event('view', { at: Date.now() - 3 * year }))],
      ['timestamp_out_of_range', JSON.stringify(event('view', { at: Date.now() + year }))],
    ]
    const parts = bad.flatMap(([, line]) => [Buffer.from(line), Buffer.from('\n')])
    const body = Buffer.concat([
      Buffer.from(toLines([good, ...views(1)])),
      ...parts,
      Buffer.from(JSON.stringify(event('view'))),
    ])
    const answer = await stage.post(body)

    const counts = new Map<string, number>()
    for (const [reason] of bad) counts.set(reason, (counts.get(reason) ?? 0) + 1)
    expect(answer.status).toBe(202)
    expect(answer.body.accepted).toBe(2)
    expect(
      new Map(
        answer.body.dropped.map((each: { reason: string; count: number }) => [each.reason, each.count]),
      ),
    ).toEqual(counts)
    await stage.untilStored(good.session, 2)
  })

  test('half a character, a NUL and huge numbers are stored as the closest valid value', async () => {
    const own = context({ userKey: 'm\u0000ara', page: '/a' })
    const odd = `{"kind":"custom","id":"${newId()}","at":${Date.now()},"context":0,"name":"a\\ud800b","value":1e300}`
    expect((await stage.post(toLines([own]) + odd)).body.accepted).toBe(1)
    expect(await stage.untilStored(own.session, 1)).toMatchObject([
      { name: 'a\uFFFDb', user_key: 'm\u0000ara' },
    ])
  })

  test('numbers larger than any column are stored as the largest that fits, and nothing is quarantined', async () => {
    const at = Date.now()
    const state = (huge: number, more: Line) =>
      event('view_state', {
        at,
        startedAt: at - 5_000,
        duration: huge,
        rev: huge,
        active: false,
        actions: huge,
        resources: huge,
        errors: huge,
        longFrames: huge,
        frustrations: huge,
        vitals: { LCP: huge, INP: huge, CLS: huge, FCP: huge, TTFB: huge, hidden: huge },
        ...more,
      })
    const contexts = [1e21, 1e39, 1e308].map((huge, index) => context({ index, weight: huge }))
    const lines = contexts.flatMap((own, index) => [
      own,
      state([1e21, 1e39, 1e308][index] ?? 0, { context: index }),
      event('vital', { name: 'LCP', value: 1e308, context: index }),
      event('custom', { name: 'a', value: -1e308, duration: 1e308, context: index }),
      event('long_frame', {
        duration: 1e308,
        blocking: 1e308,
        context: index,
        scripts: [{ source: 's', function: 'f', ms: 1e308 }],
      }),
      event('resource', { type: 'fetch', url: '/a', duration: 1e308, size: 1e308, context: index }),
    ])
    const before = stage.telltale.running.services.intake.condition().quarantineBytes
    expect((await stage.post(toLines(lines))).body).toEqual({ accepted: 15, dropped: [] })
    for (const own of contexts) {
      await stage.untilStored(String(own.session), 4)
      const views = 'SELECT count() AS n FROM views WHERE session_id = {session:UUID}'
      const countViews = async () => {
        const [found] = await stage.read<{ n: string }>(views, { session: own.session })
        return Number(found?.n)
      }
      await expect.poll(countViews, { timeout: 10_000 }).toBe(1)
    }
    expect(stage.telltale.running.services.intake.condition().quarantineBytes).toBe(before)
  })

  test('clocks that are years off are corrected, because the client sends its time', async () => {
    const wrong = Date.now() - 9 * 365 * 86_400_000
    const own = context()
    const answer = await stage.post(toLines([own, event('view', { at: wrong - 1_000 })]), { sent: wrong })
    expect(answer.body).toEqual({ accepted: 1, dropped: [] })
    const [row] = await stage.untilStored(own.session, 1)
    expect(Math.abs(Date.parse(`${row?.ts}Z`) - Date.now())).toBeLessThan(60_000)
    expect(Math.abs(Date.parse(`${row?.client_ts}Z`) - (wrong - 1_000))).toBeLessThan(1)
  })

  test('keys: none, unknown, of a server, of another environment', async () => {
    expect(await stage.post('x', { key: '' })).toMatchObject(refusal(401, 'invalid-key'))
    expect(await stage.post('x', { key: 'nobody' })).toMatchObject(refusal(401, 'invalid-key'))
    const own = context()
    const answer = await stage.post(toLines([own, ...views(1)]), { key: await stage.clientKey('production') })
    expect(answer.status).toBe(202)
    const [row] = await stage.untilStored(own.session, 1)
    expect(row?.environment_id).not.toBe(stage.environment)
  })

  test('an unlisted origin is rejected with a reason', async () => {
    const path = `${environments}/staging`
    const settings = await stage.telltale.request('PATCH', path, {
      as: stage.owner,
      body: { allowedOrigins: ['https://shop.example'] },
    })
    expect(settings.status).toBe(200)
    const from = (origin: string) =>
      stage
        .clientKey('staging')
        .then((staging) =>
          stage.post(toLines([context(), ...views(1)]), { key: staging, headers: { origin } }),
        )
    const refused = async () => (await from('https://evil.example')).status
    await expect.poll(refused, { timeout: 20_000 }).toBe(403)
    expect((await from('https://shop.example')).status).toBe(202)
  })
})
