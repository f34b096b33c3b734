// Suspects from sessions on the real engine.

import { noId } from '@telltale/core/telemetry/row-text'
import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { placeOf } from '../../../../../test/contracts/flags.ts'
import { type Release, startRelease } from '../../guard/rollouts/testing/release.ts'

const hour = 3_600_000
const perGroup = 200
let release: Release

beforeAll(async () => {
  release = await startRelease({ telemetry: true })
  const at = await release.flag('cart', {}, 'production')
  const half = [
    { variation: 'on', weight: 50_000 },
    { variation: 'off', weight: 50_000 },
  ]
  expect((await release.save(at, { fallthrough: { split: half } })).status).toBe(200)
  await release.flag('banner', {}, 'production')
  const { environment } = await placeOf(release.telltale, 'shop', 'production')
  const ts = new Date(Date.now() - hour).toISOString().replace('T', ' ').replace('Z', '')
  const rows: string[] = []
  let person = 0
  for (const cart of ['on', 'off']) {
    for (const banner of ['on', 'off']) {
      // Errors increase only if both flags are on; one flag alone has no effect.
      const failing = cart === 'on' && banner === 'on' ? perGroup / 4 : perGroup / 50
      for (let n = 0; n < perGroup; n += 1) {
        person += 1
        const [session, flags] = [newId(), [`cart=${cart}`, `banner=${banner}`]]
        const row = (kind: string) =>
          JSON.stringify([environment.id, kind, ts, newId(), session, String(person), flags])
        rows.push(row('view'), ...(n < failing ? [row('error')] : []))
      }
    }
  }
  const columns = ['environment_id', 'kind', 'ts', 'event_id', 'session_id', 'user_hash', 'flags'] as const
  const batch = { table: 'events', columns, rows: Buffer.from(rows.join('\n')), token: 'suspects' } as const
  expect(await release.telltale.running.services.telemetry.insert(batch)).toMatchObject({ kind: 'stored' })
})
afterAll(() => release?.[Symbol.asyncDispose]())

const suspects = (query: string) => release.ask('GET', `/environments/production/suspects?${query}`)

test('two flags that only harm together are named together, with the users needed to settle it', async () => {
  const { status, body } = await suspects(`of=${encodeURIComponent('errors:>0')}`)
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body).toMatchObject({ sampled: 1, people: 4 * perGroup, looks: 8 })
  const [first, ...others] = body.items
  expect(others, 'neither of them alone').toEqual([])
  expect(
    first.reads
      .map(({ flag, variation }: { flag: string; variation: string }) => `${flag}=${variation}`)
      .sort(),
  ).toEqual(['banner=on', 'cart=on'])
  expect(first).toMatchObject({
    people: { inside: perGroup, outside: 3 * perGroup },
    hits: { inside: perGroup / 4, outside: (3 * perGroup) / 50 },
    byChance: false,
  })
  const drawn = first.reads.filter(({ byChance }: { byChance: boolean }) => byChance)
  expect(drawn, 'the one that a split draws').toMatchObject([{ flag: 'cart' }])
  expect(first.times.lower).toBeGreaterThan(3)
  expect(first.settle.people).toBeGreaterThan(10)
})

test('if nearly all users read different variations, users are sampled, and the cause is still named', async () => {
  const { environment } = await placeOf(release.telltale, 'shop', 'staging')
  const crowd = 30_000
  // Twenty flags with two halves; one variation makes errors four times as frequent. Crawlers always fail, and
  // do not count.
  const isOn = (flag: string) => `bitTest(cityHash64(number), ${flag})`
  const fails = `if(${isOn('3')}, 0.16, 0.04) > (cityHash64(number, 1) % 1000) / 1000`
  await release.telltale.running.services.telemetry.command(
    `INSERT INTO events (environment_id, kind, ts, event_id, session_id, user_hash, bot, flags)
    SELECT '${environment.id}', kind, now64(3) - 600, generateUUIDv4(), session, number + 1, number >= ${crowd},
      arrayMap(i -> concat('flag-', toString(i), '=', if(${isOn('i')}, 'on', 'off')), range(20))
    FROM (SELECT number, generateUUIDv4() AS session, arrayJoin(if(number >= ${crowd} OR ${fails}, ['view', 'error'], ['view'])) AS kind
      FROM numbers(${crowd + 500}))`,
  )
  const { status, body } = await release.ask(
    'GET',
    `/environments/staging/suspects?of=${encodeURIComponent('errors:>0')}`,
  )
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body.sampled).toBe(1 / 2)
  expect(body.people).toBeGreaterThan(14_000)
  expect(body.people).toBeLessThan(16_000)
  const [first] = body.items
  expect(first.reads).toMatchObject([{ flag: 'flag-3', variation: 'on' }])
  expect(first.people.outside / first.people.inside, 'both sides are drawn alike').toBeCloseTo(1, 1)
  expect(first.times.ratio).toBeGreaterThan(3)
  expect(body.hits / body.people, 'without crawlers').toBeLessThan(0.12)
})

test('an error of servers is compared among their users, who have no sessions', async () => {
  const { environment } = await placeOf(release.telltale, 'shop', 'development')
  // Every user has an exposure; one variation makes the error eight times as frequent. Browsers never have it.
  await release.telltale.running.services.telemetry.command(
    `INSERT INTO events (environment_id, kind, ts, event_id, session_id, user_hash, origin, err_group, flags)
    SELECT '${environment.id}', kind, now64(3) - 600, generateUUIDv4(), if(origin = 'server', toUUID('${noId}'), generateUUIDv4()), number + 1, origin, kind = 'error' ? 4711 : 0,
      [concat('stock=', if(number % 2 = 0, 'new', 'old'))]
    FROM (SELECT number, if(number % 10 = 0, 'browser', 'server') AS origin,
        arrayJoin(if(origin = 'server' AND number % (number % 2 = 0 ? 4 : 32) < 2, ['exposure', 'error'], ['exposure'])) AS kind
      FROM numbers(2000))`,
  )
  const { status, body } = await release.ask('GET', `/environments/development/suspects?of=issue:4711`)
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body.people).toBe(1_800)
  expect(body.items[0].reads).toMatchObject([{ flag: 'stock', variation: 'new' }])
  expect(body.items[0].times.lower).toBeGreaterThan(2)
  const listed = await release.ask('GET', '/environments/development/issues')
  const [{ id, sessions, lift }] = listed.body.items
  expect([sessions, lift]).toEqual([0, expect.objectContaining({ flag: 'stock', variation: 'new' })])
  const opened = await release.ask('GET', `/environments/development/issues/${id}`)
  expect(opened.body.lifts).toEqual([lift])
})

test('without affected users there are no suspects, and an invalid filter is rejected with its position', async () => {
  expect((await suspects(`of=${encodeURIComponent('lcp:>4000')}`)).body).toMatchObject({ hits: 0, items: [] })
  const refused = await suspects(`of=${encodeURIComponent('errors:>>')}`)
  expect(refused.body).toMatchObject({ status: 400, errors: [expect.objectContaining({ pointer: '?of' })] })
  expect((await suspects('')).status).toBe(400)
})
