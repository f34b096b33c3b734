// Log records in Explore: every number compared with a count by hand.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { logOf, logRequest, newSpanId, newTraceId } from '../../../../../test/intake/otlp.ts'
import { type OtlpStage, openOtlpStage } from '../../../../../test/intake/otlp-stage.ts'
import { environments } from '../../../../../test/intake/stage.ts'

const minute = 60_000
const [from, to] = [Date.now() - 50 * minute, Date.now() - 10 * minute]
const levels = { info: 9, warn: 13, error: 17 } as const
type Level = keyof typeof levels

interface Written {
  at: number
  level: Level
  service: string
  plan: string
  user: string
  session: string
  trace: string
}

const pick = <Value>(values: readonly Value[], index: number) => values[index % values.length] as Value
const sessions = [randomUUID(), randomUUID(), '']
const traces = [newTraceId(), '']
const written: Written[] = Array.from({ length: 97 }, (_, index) => ({
  // Some before and after the period.
  at: Date.now() - 60 * minute + index * (minute / 2) + 7,
  level: pick(Object.keys(levels) as Level[], index * index),
  service: pick(['api', 'mail'], index >> 1),
  plan: pick(['pro', 'free', ''], index),
  user: pick(['ada', 'grace', '', 'joan'], index),
  session: pick(sessions, index >> 2),
  trace: pick(traces, index),
}))
const seen = written.filter(({ at }) => at >= from && at < to)

let stage: OtlpStage
beforeAll(async () => {
  stage = await openOtlpStage()
  for (const service of ['api', 'mail']) {
    const records = written
      .filter((record) => record.service === service)
      .map(({ at, level, plan, user, session, trace }) =>
        logOf({
          ...{ at, severityNumber: levels[level], body: `${level} of ${plan || 'nothing'}` },
          ...(trace !== '' && { traceId: trace, spanId: newSpanId() }),
          attributes: {
            ...(plan !== '' && { plan }),
            ...(user !== '' && { 'user.id': user }),
            ...(session !== '' && { 'session.id': session }),
          },
        }),
      )
    expect((await stage.sendLogs(logRequest(service, records))).status).toBe(200)
  }
  const isWritten = async () =>
    (await explore({ from: new Date(from - 60 * minute).toISOString(), to: new Date().toISOString() })).total
      ?.events === written.length
  await vi.waitUntil(isWritten, { timeout: 60_000, interval: 100 })
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const ask = async (path: string, query: Record<string, string>) => {
  const span = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
  const text = new URLSearchParams({ ...span, kind: 'log', ...query })
  return stage.telltale.request('GET', `${environments}/development/${path}?${text}`, { as: stage.owner })
}
const explore = async (query: Record<string, string> = {}) => (await ask('explore', query)).body

/** The groups as Explore lists them: the largest first, then by their values. */
function countBy(records: readonly Written[], valuesOf: (record: Written) => string[]) {
  const counts = new Map<string, number>()
  for (const record of records) {
    const key = JSON.stringify(valuesOf(record))
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return new Map([...counts].sort())
}
const groupsIn = ({ groups }: { groups: { values: string[]; value: number }[] }) =>
  new Map(groups.map(({ values, value }): [string, number] => [JSON.stringify(values), value]).sort())

test('are counted over time', async () => {
  const { total, groups, step } = await explore({ step: '5m' })
  expect(total).toEqual({ value: seen.length, events: seen.length })
  expect(step).toBe('5m')
  for (const { at, value } of groups[0].points) {
    const begin = Date.parse(at)
    expect(value).toBe(seen.filter((one) => one.at >= begin && one.at < begin + 5 * minute).length)
  }
})

test.each([
  ['level', ({ level }: Written) => [level]],
  ['service,level', ({ service, level }: Written) => [service, level]],
  ['attr:plan', ({ plan }: Written) => [plan]],
  ['user', ({ user }: Written) => [user]],
  ['session', ({ session }: Written) => [session]],
  ['trace', ({ trace }: Written) => [trace]],
])('are grouped by %s', async (by, valuesOf) => {
  expect(groupsIn(await explore({ by, top: '20' }))).toEqual(countBy(seen, valuesOf))
})

test('are filtered as on the screen of logs, in the whole and in a share', async () => {
  const filtered = seen.filter(({ level, plan }) => level !== 'info' && plan === 'pro')
  const filter = 'level:warn,error attr:plan=pro'
  expect((await explore({ filter })).total.value).toBe(filtered.length)
  expect((await explore({ filter: '"of free"' })).total.value).toBe(
    seen.filter(({ plan }) => plan === 'free').length,
  )
  const errors = seen.filter(({ level }) => level === 'error').length
  const share = await explore({ measure: 'share', part: 'level:error' })
  expect(share.total.value).toBeCloseTo(errors / seen.length, 3)
  const distinct = (name: 'user' | 'session') =>
    new Set(seen.map((one) => one[name]).filter((value) => value)).size
  expect((await explore({ measure: 'users' })).total.value).toBe(distinct('user'))
  expect((await explore({ measure: 'sessions' })).total.value).toBe(distinct('session'))
  expect((await explore({ measure: 'rate' })).total.value).toBeCloseTo(seen.length / 40, 5)
})

test('have facets, and are no events', async () => {
  const { facets } = (await ask('explore/facets', { fields: 'level,service' })).body
  const values = (field: 'level' | 'service') =>
    [...countBy(seen, (one) => [one[field]])].map(([value, count]) => ({
      value: JSON.parse(value)[0],
      count,
    }))
  for (const field of ['level', 'service'] as const) {
    const found = facets.find((facet: { field: string }) => facet.field === field)
    expect(new Set(found.values)).toEqual(new Set(values(field)))
  }
  const { body } = await stage.telltale.request('GET', `${environments}/development/explore`, {
    as: stage.owner,
  })
  expect(body.total.events).toBe(0)
})

test.each([
  [{ measure: 'p75', field: 'duration' }, '?measure'],
  [{ by: 'browser' }, '?by'],
  [{ filter: 'browser:Safari' }, '?filter'],
  [{ measure: 'share', part: 'page:/cart' }, '?filter'],
])('what records do not have is refused: %j', async (query, pointer) => {
  const answer = await ask('explore', query as Record<string, string>)
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer }] } })
})
