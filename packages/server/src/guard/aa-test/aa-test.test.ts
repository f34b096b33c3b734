// The A/A test on the real engines: users arrive through the intake, are split invisibly and are judged by the
// guard's statistics.

import { holdoutArmOf } from '@telltale/core/evaluation/holdout'
import { limits } from '@telltale/core/limits'
import { aaTestArmOf } from '@telltale/core/telemetry/aa-test-arm'
import { unitHash } from '@telltale/core/telemetry/unit-hash'
import { eq } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { environments, type IntakeStage, openIntakeStage } from '../../../../../test/intake/stage.ts'
import { context, event, type Line, toLines } from '../../../../../test/intake/visitor.ts'
import type { SomePerson } from '../../../../../test/start.ts'
import { holdouts } from '../../platform/engines/postgres/holdout-schema.ts'
import { evaluateAaTests } from './evaluate-aa-tests.ts'

let stage: IntakeStage
let owner: SomePerson
beforeAll(async () => {
  stage = await openIntakeStage({ TELLTALE_MANAGEMENT_RATE: '100000' })
  owner = stage.owner
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const now = () => stage.telltale.running.services.clock().getTime()
const ask = async (method: string, rest: string, body?: unknown) => {
  const answer = await stage.telltale.request(method, `${environments}${rest}`, { as: owner, body })
  if (answer.status >= 300) throw new Error(`${method} ${rest}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

interface Site {
  key: string
  environment: string
  path: string
  aaTest(): ReturnType<typeof ask>
  look(): ReturnType<typeof ask>
  armOf(person: string, round: number): 'a' | 'b'
  turn(aaTest: boolean): Promise<void>
  /** Each user visits once, in a separate session. */
  visit(people: readonly string[], lived?: (person: string) => Line[]): Promise<void>
}

/** Bots are not assigned to an arm. */
const browser =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36'
let sites = 0

async function openSite(): Promise<Site> {
  sites += 1
  const env = `site-${sites}`
  const { id: environment } = await ask('POST', '', { key: env, name: env })
  const key = await stage.clientKey(env)
  const path = `/${env}`
  const unitOf = (value: string) => unitHash({ environment, attribute: 'targetingKey', value })
  const send = (lines: readonly Line[]) =>
    stage.post(toLines(lines), { key, sent: now(), headers: { 'user-agent': browser } })
  const count = async (table: string) => {
    const [row] = await stage.read<{ n: number }>(
      `SELECT toFloat64(count()) AS n FROM ${table} WHERE environment_id = {environment:UUID}`,
      { environment },
    )
    return row?.n ?? 0
  }
  let sent = 0

  return {
    key,
    environment,
    path,
    aaTest: () => ask('GET', `${path}/aa-test`),
    async look() {
      await evaluateAaTests(stage.telltale.running.services)
      return ask('GET', `${path}/aa-test`)
    },
    armOf: (person, round) => aaTestArmOf(environment, round, unitOf(person)),
    async turn(aaTest) {
      await ask('PATCH', path, { aaTest })
      // The intake picks up the setting with a short delay.
      const isLaid = async () => {
        const session = newId()
        await send([
          context({ session, anonymousId: session }),
          event('custom', { name: 'probe', at: now() }),
        ])
        sent += 1
        const [row] = await stage.untilStored(session, 1)
        return JSON.stringify(row?.arms) !== '[]'
      }
      await expect.poll(isLaid, { timeout: 20_000 }).toBe(aaTest)
    },
    async visit(people, lived = () => []) {
      const groups = Array.from({ length: Math.ceil(people.length / 20) }, (_, at) =>
        people.slice(20 * at, 20 * (at + 1)),
      )
      for (const group of groups) {
        const lines = group.flatMap((person, index) => {
          const each = [
            event('view'),
            event('vital', { name: 'LCP', value: 2_000 + (person.length % 7) }),
            ...lived(person),
          ]
          sent += each.length
          return [
            context({ index, anonymousId: person }),
            ...each.map((one) => ({ ...one, at: now(), context: index })),
          ]
        })
        expect(await send(lines)).toMatchObject({ status: 202, body: { dropped: [] } })
      }
      await expect.poll(() => count('events'), { timeout: 20_000 }).toBe(sent)
    },
  }
}

const crowd = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `person-${from + index}`)
const error = () => event('error', { source: 'uncaught', message: 'No card', handled: false })

test('while it is off, no user is assigned', async () => {
  const site = await openSite()
  await site.visit(crowd(40))
  expect(await site.look()).toMatchObject({ on: false, verdict: 'off', present: null, past: [], since: null })
  const rows = await stage.read(
    'SELECT 1 AS one FROM events WHERE environment_id = {environment:UUID} AND notEmpty(arms) UNION ALL SELECT 1 AS one FROM exposures WHERE environment_id = {environment:UUID}',
    { environment: site.environment },
  )
  expect(rows).toEqual([])
})

test('users are split in halves, once per session, and no events screen contains it', async () => {
  const site = await openSite()
  await site.turn(true)
  const people = crowd(300)
  await site.visit(people)
  await site.visit(people.slice(0, 10))

  const laid = await stage.read<{ arm: string; units: number; n: number }>(
    `SELECT arms[1] AS arm, toFloat64(count()) AS units, toFloat64(sum(n)) AS n FROM
      (SELECT unit, groupUniqArrayArray(arms) AS arms, sum(n) AS n FROM exposures WHERE environment_id = {environment:UUID} AND split = 0 GROUP BY unit)
    GROUP BY arms ORDER BY arms`,
    { environment: site.environment },
  )
  const expected = (arm: string) => people.filter((person) => site.armOf(person, 1) === arm).length
  const [a, b] = laid
  expect([a?.arm, b?.arm]).toEqual(['a', 'b'])
  // The probe users of `turn` are counted as well.
  expect((a?.units ?? 0) - expected('a')).toBeLessThan(20)
  expect((b?.units ?? 0) - expected('b')).toBeLessThan(20)
  expect(Math.min(expected('a'), expected('b'))).toBeGreaterThan(110)
  expect((a?.n ?? 0) + (b?.n ?? 0) - (a?.units ?? 0) - (b?.units ?? 0)).toBe(10)

  const kinds = await stage.read<{ kind: string; flags: unknown[] }>(
    'SELECT kind, groupUniqArrayArray(flags) AS flags FROM events WHERE environment_id = {environment:UUID} GROUP BY kind ORDER BY kind',
    { environment: site.environment },
  )
  expect(kinds).toEqual(['custom', 'view', 'vital'].map((kind) => ({ kind, flags: [] })))
})

test('equal halves contain zero; harm in one half does not, and exceeds chance', async () => {
  const site = await openSite()
  await site.turn(true)
  const people = crowd(700)
  const isProne = (person: string) => Number(person.slice(7)) % 4 === 0
  await site.visit(people, (person) => (isProne(person) ? [error()] : []))
  const sound = await site.look()
  const stateOf = ({ present }: typeof sound, wanted: string) =>
    present.metrics.find(({ metric }: { metric: string }) => metric === wanted)?.state
  expect(sound).toMatchObject({ on: true, verdict: 'too-early', promised: 0.05 })
  expect(sound.present).toMatchObject({
    round: 1,
    isCounted: true,
    alarms: [],
    splitWrong: null,
    crossed: 0,
    endedAt: null,
  })
  expect([stateOf(sound, 'users-with-an-error'), stateOf(sound, 'errors-per-session')]).toEqual([
    'holds',
    'holds',
  ])
  expect(sound.present.check.p).toBeGreaterThan(0.05)

  stage.telltale.passTime(limits.aaTestInterval)
  await site.visit(crowd(700, 1_000), (person) => (site.armOf(person, 1) === 'b' ? [error()] : []))
  const harmed = await site.look()
  expect(harmed.verdict).toBe('exceeded')
  expect(stateOf(harmed, 'users-with-an-error')).toBe('left')
  const [alarm] = harmed.present.alarms.filter(
    ({ metric }: { metric: string }) => metric === 'users-with-an-error',
  )
  expect(alarm).toMatchObject({ name: 'Users with an error' })
  expect(alarm.difference.lower).toBeGreaterThan(0)
})

test('a silent half is reported before any number', async () => {
  const site = await openSite()
  await site.turn(true)
  await site.visit(crowd(600).filter((person, index) => index % 3 === 0 || site.armOf(person, 1) === 'a'))
  expect(await site.look()).toMatchObject({ verdict: 'split-wrong', present: { splitWrong: 'split-wrong' } })
})

test('evaluation of flags does not depend on it', async () => {
  const site = await openSite()
  const project = environments.slice(0, -'/environments'.length)
  const flag = `dial-${sites}`
  const created = await stage.telltale.request('POST', `${project}/flags`, {
    as: owner,
    body: { key: flag, name: flag, valueType: 'boolean', clientVisible: true },
  })
  expect(created.status).toBe(201)
  const { salt: _salt, savedAt: _savedAt, ...config } = await ask('GET', `${site.path}/flags/${flag}/config`)
  const arms = ['on', 'off'].map((variation) => ({ variation, weight: 50_000 }))
  await ask('PUT', `${site.path}/flags/${flag}/config`, {
    ...config,
    enabled: true,
    fallthrough: { split: { arms, by: 'targetingKey' } },
  })
  const values = () =>
    Promise.all(
      crowd(60).map(async (targetingKey) => {
        const answer = await stage.telltale.request('POST', `/ofrep/v1/evaluate/flags/${flag}`, {
          headers: { 'x-api-key': site.key },
          body: { context: { targetingKey } },
        })
        return answer.body
      }),
    )
  await expect.poll(async () => (await values())[0].reason, { timeout: 20_000 }).toBe('SPLIT')
  const before = await values()
  await site.turn(true)
  expect(await values()).toEqual(before)
  expect(new Set(before.map(({ value }) => value)).size).toBe(2)
  const same = before.filter(
    ({ value }, index) => value === (site.armOf(`person-${index}`, 1) === 'b'),
  ).length
  expect(same).toBeGreaterThan(15)
  expect(same).toBeLessThan(45)
})

test('a round ends after a week, the next one reassigns, and results are kept', async () => {
  const site = await openSite()
  await site.turn(true)
  const people = crowd(300)
  await site.visit(people, (person) => (site.armOf(person, 1) === 'b' ? [error()] : []))
  await site.look()
  stage.telltale.passTime(limits.aaTestRound)
  // The first session has expired by now.
  owner = await stage.telltale.person({ role: 'owner' })
  await site.visit(people)
  stage.telltale.passTime(limits.aaTestGrace)
  const after = await site.look()
  expect(after).toMatchObject({ on: true, present: { round: 2, alarms: [], isCounted: true } })
  expect(after.past).toMatchObject([
    { round: 1, isCounted: true, alarms: [{ metric: 'users-with-an-error' }, { metric: 'crashes' }] },
  ])
  expect(after.past[0].endedAt).toBe(after.past[0].endsAt)
  expect(after.rate).toMatchObject({ rounds: 1, alarmed: 2 })
  const moved = people.filter((person) => site.armOf(person, 1) !== site.armOf(person, 2)).length
  expect(moved).toBeGreaterThan(110)
  expect(moved).toBeLessThan(190)

  await ask('POST', `${site.path}/aa-test/restart`)
  expect(await site.look()).toMatchObject({
    verdict: 'nothing-yet',
    rate: { rounds: 0 },
    present: { round: 3 },
  })
  await site.turn(false)
  stage.telltale.passTime(limits.aaTestInterval)
  const off = await site.look()
  expect(off).toMatchObject({
    on: false,
    present: { round: 3 },
    past: [{ round: 2, isCounted: false }, { round: 1 }],
  })
  expect(off.present.endedAt).not.toBeNull()
  await site.turn(true)
  expect(await site.look()).toMatchObject({ present: { round: 4 } })
})

test('held-out users are kept out of flags, and compared with a sample of all others', async () => {
  const site = await openSite()
  const project = environments.replace('/environments', '')
  const request = (method: string, path: string, body?: unknown) =>
    stage.telltale.request(method, path, { as: owner, body })
  await request('POST', `${project}/flags`, {
    ...{ key: 'held', name: 'Held', valueType: 'boolean', clientVisible: true },
  })
  await ask('PUT', `${site.path}/flags/held/config`, {
    ...{ enabled: true, offVariation: 'off', prerequisites: [], rules: [], version: 1 },
    fallthrough: { variation: 'on' },
  })
  const draft = { key: 'quarter', name: 'Quarter', share: 20_000, metrics: ['users-with-an-error', 'lcp'] }
  expect(await ask('POST', `${site.path}/holdouts`, draft)).toMatchObject({ flags: null, state: 'running' })
  const one = `${project}/holdouts/quarter`
  const results = async () => (await request('GET', `${one}/results`)).body
  expect(await results()).toMatchObject({ finding: 'no-users' })
  const { db } = stage.telltale.running.services
  const [row] = await db.select().from(holdouts).where(eq(holdouts.key, 'quarter'))
  if (row === undefined) throw new Error('no holdout')
  const armOf = (person: string) => holdoutArmOf(row, person)

  const evaluate = async (person: string) => {
    const body = { flags: ['held'], context: { targetingKey: person } }
    return (await ask('POST', `${site.path}/evaluate`, body)).items[0]
  }
  const people = crowd(700, 5_000)
  for (const person of people.slice(0, 20))
    expect(await evaluate(person)).toMatchObject(
      armOf(person) === 'held-out'
        ? { variation: 'off', reason: 'HOLDOUT' }
        : { variation: 'on', reason: 'STATIC' },
    )

  // The intake picks it up with a short delay.
  const [first = ''] = people.filter((person) => armOf(person) === 'held-out')
  const served = async () => {
    const asked = await stage.telltale.request('POST', '/ofrep/v1/evaluate/flags/held', {
      headers: { authorization: `Bearer ${site.key}` },
      body: { context: { targetingKey: first } },
    })
    return asked.body.reason
  }
  await expect.poll(served, { timeout: 20_000 }).toBe('HOLDOUT')
  const isSeen = async () => {
    await site.visit([first])
    return (await results()).arm.units.control
  }
  await expect.poll(isSeen, { timeout: 20_000 }).toBe(1)
  expect(await results()).toMatchObject({ finding: 'too-few-users' })
  const hasError = (person: string) => Number(person.slice(7)) % (armOf(person) === 'others' ? 2 : 8) === 0
  await site.visit(people, (person) => (hasError(person) ? [error()] : []))
  const heard = async () => (await results()).arm.quality.heard
  await expect.poll(heard, { timeout: 20_000 }).toEqual({ treatment: 1, control: 1 })
  const found = await results()
  const count = (arm: string) => people.filter((person) => armOf(person) === arm).length
  expect(found).toMatchObject({
    finding: 'measured',
    arm: {
      ...{ split: 'as-designed', crossed: 0 },
      units: { treatment: count('others'), control: count('held-out') },
    },
  })
  const [errors, lcp] = ['users-with-an-error', 'lcp'].map((metric) =>
    found.arm.goals.find((goal: { metric: string }) => goal.metric === metric),
  )
  expect(errors.verdict).toBe('worse')
  expect(['undecided', 'collecting', 'no-worse']).toContain(lcp.verdict)

  expect((await request('POST', `${one}/end`)).body).toMatchObject({ state: 'ended' })
  expect(await evaluate(first)).toMatchObject({ variation: 'on', reason: 'STATIC' })
  expect((await results()).arm).toEqual(found.arm)
  expect((await request('DELETE', one)).status).toBe(204)

  const chosen = { ...draft, key: 'chosen', flags: ['held'] }
  await ask('POST', `${site.path}/holdouts`, chosen)
  await request('POST', `${project}/flags/held/archive`)
  expect((await request('GET', `${project}/holdouts/chosen/results`)).body.finding).toBe('no-flags')
  expect((await request('DELETE', `${project}/holdouts/chosen`)).status).toBe(409)
  const faulty = await request('POST', `${environments}${site.path}/holdouts`, {
    ...{ ...chosen, key: 'faulty', metrics: ['none'] },
  })
  expect(faulty).toMatchObject({ status: 422, body: { errors: [{ pointer: '/flags/0' }] } })
})
