import type { Evaluation } from '@telltale/core/contract/trace'
import { limits } from '@telltale/core/limits'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'
import { evaluationCounts } from '../../platform/engines/postgres/evaluation-schema.ts'
import { countArms } from '../flags/evaluation-queries.ts'
import { createEvaluationCounts } from './count-evaluations.ts'
import { sumUpCounts } from './sum-up-counts.ts'
import { writeCounts } from './write-counts.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

let telltale: Telltale
let owner: SomePerson
let environmentId: string

beforeAll(async () => {
  telltale = await startTelltale({ settings: { TELLTALE_MANAGEMENT_RATE: '100000' } })
  owner = await telltale.person({ role: 'owner' })
  await telltale.project('shop')
  environmentId = (await get('/api/v1/projects/shop/environments/staging')).id
})

afterAll(() => telltale[Symbol.asyncDispose]())

async function send(method: string, path: string, body?: object) {
  const answer = await telltale.request(method, path, { as: owner, ...(body === undefined ? {} : { body }) })
  expect([200, 201]).toContain(answer.status)
  return answer.body
}
const get = (path: string) => send('GET', path)

const evaluationsOf = (flag: string, query = '') =>
  get(`/api/v1/projects/shop/environments/staging/flags/${flag}/evaluations${query}`)

const half = {
  enabled: true,
  offVariation: 'off',
  prerequisites: [],
  rules: [],
  fallthrough: {
    split: [
      { variation: 'on', weight: 50_000 },
      { variation: 'off', weight: 50_000 },
    ],
  },
}

interface Split {
  key: string
  id: string
  epoch: number
}

/** A flag with a split in staging. */
async function createSplit(key: string): Promise<Split> {
  await send('POST', '/api/v1/projects/shop/flags', { key, name: key, valueType: 'boolean' })
  const path = `/api/v1/projects/shop/environments/staging/flags/${key}/config`
  const { id, epoch } = (await send('PUT', path, { ...half, version: 1 })).fallthrough.split
  return { key, id, epoch }
}

/** Evaluations as delivery returns them: one object for each outcome. */
const outcomes = new Map<string, Evaluation>()
function outcome({ id, epoch }: { id: string; epoch: number }, variation: string): Evaluation {
  const name = `${id} ${epoch} ${variation}`
  const known = outcomes.get(name)
  if (known !== undefined) return known
  const evaluation: Evaluation = Object.freeze({
    value: variation === 'on',
    variation,
    reason: 'SPLIT',
    ruleId: undefined,
    split: { id, epoch, by: 'targetingKey' },
    prerequisite: undefined,
    overridden: false,
    errorCode: undefined,
  })
  outcomes.set(name, evaluation)
  return evaluation
}

/** Counts as delivery does, on the running server by default. */
function count(flag: Split, users: number, counts = telltale.running.services.evaluationCounts): void {
  for (let user = 0; user < users; user += 1) {
    counts.counterOf(environmentId, flag.key, outcome(flag, user % 2 === 0 ? 'on' : 'off')).count += 1
  }
}

const flush = () => telltale.running.services.evaluationCounts.flush()
const now = () => telltale.running.services.clock()

test('evaluations are counted by outcome and minute, and both servers of an installation add up', async () => {
  const checkout = await createSplit('checkout')
  expect(await evaluationsOf('checkout')).toMatchObject({ total: 0, lastEvaluatedAt: null, series: [] })

  const { db, usage, clock, log } = telltale.running.services
  const beside = createEvaluationCounts({ store: (rows) => writeCounts(db, rows), usage, clock, log })
  const began = now()
  count(checkout, 100)
  count(checkout, 50, beside)
  await Promise.all([flush(), beside.flush()])
  telltale.passTime(minute)
  count(checkout, 10)
  await flush()
  await flush()
  await beside.stop()

  const shown = await evaluationsOf('checkout', '?step=minute')
  expect(shown.total).toBe(160)
  expect(
    shown.series.map(({ variation, reason }: { variation: string; reason: string }) => [variation, reason]),
  ).toEqual(
    expect.arrayContaining([
      ['on', 'SPLIT'],
      ['off', 'SPLIT'],
    ]),
  )
  const perMinute = new Map<string, number>()
  for (const { at, count } of shown.series.flatMap((each: { points: object[] }) => each.points)) {
    perMinute.set(at, (perMinute.get(at) ?? 0) + count)
  }
  expect([...perMinute.entries()].sort().at(-1)?.[1]).toBe(10)
  expect(new Date(shown.firstEvaluatedAt).getTime()).toBeGreaterThanOrEqual(began.getTime())
  expect(new Date(shown.lastEvaluatedAt).getTime()).toBeGreaterThanOrEqual(began.getTime() + minute)
})

test('a split with an invalid id is counted without it, and delays no other count', async () => {
  const imported = await createSplit('imported')
  count(imported, 10)
  // The last one is above the largest id of the database.
  for (const id of ['segment-12', '3.5', '9223372036854775808']) count({ ...imported, id }, 4)
  await flush()
  expect((await evaluationsOf('imported')).total).toBe(22)
  const splitIds = [BigInt(imported.id)]
  const counts = await countArms(telltale.running.services.db, { splitIds, since: new Date(0) })
  expect(counts.get(imported.id)).toEqual(
    new Map([
      ['on', 5],
      ['off', 5],
    ]),
  )
})

test('the guard gets the evaluations of each arm in the last minutes', async () => {
  const guarded = await createSplit('guarded')
  const { db } = telltale.running.services
  const recently = async (span: number) => {
    const since = new Date(now().getTime() - span)
    const counts = await countArms(db, { splitIds: [BigInt(guarded.id)], since })
    return [...(counts.get(guarded.id)?.values() ?? [])].reduce((sum, each) => sum + each, 0)
  }
  count(guarded, 40)
  await flush()
  telltale.passTime(10 * minute)
  count(guarded, 60)
  await flush()

  expect(await recently(5 * minute)).toBe(60)
  expect(await recently(20 * minute)).toBe(100)
})

test('counts wait while PostgreSQL is unavailable, in their own minute', async () => {
  const patient = await createSplit('patient')
  const { db, usage, clock, log } = telltale.running.services
  let isAway = true
  const flaky = new Proxy(db, {
    get: (target, name, receiver) =>
      name === 'execute' && isAway
        ? () => Promise.reject(new Error('away'))
        : Reflect.get(target, name, receiver),
  })
  const counts = createEvaluationCounts({ store: (rows) => writeCounts(flaky, rows), usage, clock, log })
  count(patient, 30, counts)
  await expect(counts.flush()).rejects.toThrow('away')
  telltale.passTime(minute)
  count(patient, 5, counts)
  await expect(counts.flush()).rejects.toThrow('away')
  isAway = false
  await counts.stop()

  const shown = await evaluationsOf('patient', '?step=minute')
  expect(shown.total).toBe(35)
  const minutes = new Set(
    shown.series.flatMap(({ points }: { points: { at: string }[] }) => points.map(({ at }) => at)),
  )
  expect(minutes.size).toBe(2)
})

test('old minutes become hours and old hours days without losing any, and what a deleted flag left goes', async () => {
  const aged = await createSplit('aged')
  const gone = await createSplit('gone')
  const start = Math.ceil(now().getTime() / day) * day
  telltale.passTime(start - now().getTime() + minute)
  for (let minutes = 0; minutes < 3; minutes += 1) {
    count(aged, 7)
    count(gone, 7)
    await flush()
    telltale.passTime(40 * minute)
  }
  await send('POST', '/api/v1/projects/shop/flags/gone/archive')
  await telltale.request('DELETE', '/api/v1/projects/shop/flags/gone?confirm=gone', { as: owner })

  const { db } = telltale.running.services
  const at = (span: number) => new Date(start + span)
  const grains = async () => {
    const rows = await db
      .select({ grain: evaluationCounts.grain, total: sql<number>`sum(${evaluationCounts.count})::integer` })
      .from(evaluationCounts)
      .where(sql`${evaluationCounts.at} >= ${at(0).toISOString()}::timestamptz`)
      .groupBy(evaluationCounts.grain)
    return Object.fromEntries(rows.map(({ grain, total }) => [grain, total]))
  }
  expect(await grains()).toEqual({ minute: 42 })
  // Summing an hour in two parts still gives one row.
  await sumUpCounts(db, at(30 * minute + limits.evaluationMinutesKept))
  expect(await grains()).toEqual({ minute: 28, hour: 7 })
  await sumUpCounts(db, at(hour + limits.evaluationMinutesKept))
  expect(await grains()).toEqual({ minute: 14, hour: 14 })
  await sumUpCounts(db, at(day + limits.evaluationMinutesKept))
  expect(await grains()).toEqual({ hour: 21 })
  const range = `&from=${at(0).toISOString()}&to=${at(day).toISOString()}`
  expect((await evaluationsOf('aged', `?step=hour${range}`)).total).toBe(21)

  await sumUpCounts(db, at(day + limits.evaluationHoursKept))
  expect(await grains()).toEqual({ day: 21 })
  expect((await evaluationsOf('aged', `?step=day${range}`)).series[0].points[0].at).toBe(at(0).toISOString())
  await sumUpCounts(db, at(day + limits.evaluationDaysKept))
  expect(await grains()).toEqual({})
  expect((await evaluationsOf('aged')).lastEvaluatedAt).not.toBeNull()
})

test('evaluations of an archived flag are counted; unknown keys are not kept', async () => {
  await createSplit('retired')
  await send('POST', '/api/v1/projects/shop/flags/retired/archive')
  const { evaluationCounts: counts, db } = telltale.running.services
  const before = await db.$count(evaluationCounts)
  counts.countMissing(environmentId, 'retired')
  counts.countMissing(environmentId, 'retired')
  for (const key of ['invented', 'Not A Key', 'x'.repeat(500)]) counts.countMissing(environmentId, key)
  await flush()

  expect((await evaluationsOf('retired')).series).toMatchObject([
    { variation: null, reason: 'ERROR', total: 2 },
  ])
  expect(await db.$count(evaluationCounts)).toBe(before + 1)
})

test('a stopping server writes its counts', async () => {
  const stopping = await createSplit('stopping')
  const beside = await startTelltale({ beside: telltale })
  const later = telltale.running.services.clock().getTime() - Date.now()
  beside.passTime(later)
  count(stopping, 12, beside.running.services.evaluationCounts)
  await beside.running.stop()

  expect((await evaluationsOf('stopping')).total).toBe(12)
})

test('a range is refused when it holds too many steps or none', async () => {
  await createSplit('ranged')
  const path = '/api/v1/projects/shop/environments/staging/flags/ranged/evaluations'
  for (const query of [
    '?step=minute&from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z',
    '?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z',
  ]) {
    const answer = await telltale.request('GET', path + query, { as: owner })
    expect(answer.body).toMatchObject({ status: 400, errors: [{ pointer: '?from' }] })
  }
})

test('an outcome has a single counter, and a flush takes only its current value', async () => {
  const shared = await createSplit('shared')
  const { evaluationCounts: counts } = telltale.running.services
  const counter = counts.counterOf(environmentId, 'shared', outcome(shared, 'on'))
  expect(counts.counterOf(environmentId, 'shared', { ...outcome(shared, 'on') })).toBe(counter)
  expect(counts.counterOf(environmentId, 'shared', outcome(shared, 'off'))).not.toBe(counter)

  counter.count += 1
  const written = flush()
  await Promise.resolve()
  await Promise.resolve()
  counter.count += 1
  await written
  await flush()
  expect(counter.count).toBe(0)
  expect((await evaluationsOf('shared')).total).toBe(2)
})

test('code references replace those of their branch, page by page, with addresses and since when none is left', async () => {
  const flag = 'referenced'
  await send('POST', '/api/v1/projects/shop/flags', { key: flag, name: flag, valueType: 'boolean' })
  const path = '/api/v1/projects/shop/code-references'
  const reference = (line: number, more = {}) => ({
    flag,
    file: 'src/a b.ts',
    line,
    kind: 'read',
    context: 'x',
    ...more,
  })
  const upload = {
    repository: 'acme/shop',
    branch: 'main',
    isDefault: true,
    commit: 'abc',
    link: 'https://git.example/{commit}/{file}#L{line}',
    files: 3,
    references: [reference(2), reference(1), reference(1, { flag: 'another' })],
  }
  const put = (body: object, as = owner) => telltale.request('PUT', path, { as, body })
  const list = (query = '') => get(`/api/v1/projects/shop/flags/${flag}/code-references${query}`)

  expect((await put(upload)).status).toBe(204)
  expect(
    (await put({ ...upload, branch: 'fix/it', isDefault: false, references: [reference(9)] })).status,
  ).toBe(204)
  const first = await list('?limit=2')
  expect(
    first.items.map(({ line, branch }: { line: number; branch: string }) => `${branch} ${line}`),
  ).toEqual(['main 1', 'main 2'])
  expect(first.items[0].url).toBe('https://git.example/abc/src/a%20b.ts#L1')
  expect((await list(`?limit=2&cursor=${first.next}`)).items).toMatchObject([{ branch: 'fix/it', line: 9 }])
  expect(first.uploads).toMatchObject([
    { branch: 'main', references: 2, cleanSince: null, files: 3 },
    { branch: 'fix/it', references: 1 },
  ])

  // The flag is gone from main: the time is that of the first search without it.
  await put({ ...upload, commit: 'def', references: [] })
  const { cleanSince } = (await list()).uploads[0]
  expect(cleanSince).not.toBeNull()
  await put({ ...upload, commit: 'fed', references: [] })
  expect((await list()).uploads[0]).toMatchObject({ references: 0, cleanSince, commit: 'fed' })
  await put(upload)
  expect((await list()).uploads[0]).toMatchObject({ references: 2, cleanSince: null })

  const viewer = await telltale.person({ in: { shop: 'viewer' } })
  expect((await put(upload, viewer)).status).toBe(403)
  expect((await put({ ...upload, link: 'javascript:alert(1)' })).status).toBe(400)
  expect((await put({ ...upload, references: [reference(0)] })).status).toBe(400)
  const branch = '?repository=acme/shop&branch=main'
  expect((await telltale.request('DELETE', path + branch, { as: owner })).status).toBe(204)
  expect((await telltale.request('DELETE', path + branch, { as: owner })).status).toBe(404)
  expect((await list()).uploads).toMatchObject([{ branch: 'fix/it' }])
})

test('10,000 references fit into one upload', async () => {
  const references = Array.from({ length: limits.codeReferences }, (_, at) => ({
    flag: 'referenced',
    file: `src/${at % 3_000}.ts`,
    line: at + 1,
    kind: 'read',
    context: 'const on = flags.getBoolean("referenced", false)\n'.repeat(5),
  }))
  const body = {
    repository: 'acme/big',
    branch: 'main',
    isDefault: true,
    commit: 'a',
    files: 3_000,
    references,
  }
  const path = '/api/v1/projects/shop/code-references'
  expect((await telltale.request('PUT', path, { as: owner, body })).status).toBe(204)
  const { items, next } = await get('/api/v1/projects/shop/flags/referenced/code-references?limit=200')
  expect([items.length, typeof next]).toEqual([200, 'string'])
  const more = { ...body, references: [...references, ...references.slice(0, 1)] }
  expect((await telltale.request('PUT', path, { as: owner, body: more })).status).toBe(400)
})
