import { holdoutArms, holdoutEpoch } from '@telltale/core/evaluation/holdout'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { environments, type IntakeStage, openIntakeStage } from '../../../../../test/intake/stage.ts'
import { sendEvents } from '../../platform/engines/clickhouse/schema/testing/guard-events.ts'
import { holdouts } from '../../platform/engines/postgres/holdout-schema.ts'
import { plainEvent } from '../experiments/testing/plain-event.ts'
import { endDueHoldouts, type FailedEnds } from './end-due-holdouts.ts'

let stage: IntakeStage
beforeAll(async () => {
  stage = await openIntakeStage()
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const request = (method: string, path: string, body?: unknown) =>
  stage.telltale.request(method, path, { as: stage.owner, body })
const ask = async (method: string, rest: string, body?: unknown) => {
  const answer = await request(method, `${environments}${rest}`, body)
  if (answer.status >= 300) throw new Error(`${method} ${rest}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

test('a holdout ends after its planned days, keeps its results and starts the next with other users', async () => {
  const site = { path: '/quarters' }
  await ask('POST', '', { key: 'quarters', name: 'Quarters' })
  const { services } = stage.telltale.running
  const project = environments.replace('/environments', '')
  const draft = { key: 'q1', name: 'Quarter', share: 10_000, metrics: ['lcp'] }
  const endless = await request('POST', `${environments}${site.path}/holdouts`, {
    ...draft,
    whenOver: 'repeat',
  })
  expect(endless).toMatchObject({ status: 422, body: { errors: [{ pointer: '/days' }] } })
  const started = await ask('POST', `${site.path}/holdouts`, { ...draft, days: 91, whenOver: 'repeat' })
  expect(Date.parse(started.overAt) - Date.parse(started.createdAt)).toBe(91 * 86_400_000)
  const first = await services.db.select().from(holdouts).where(eq(holdouts.key, 'q1'))

  await endDueHoldouts(services)
  expect((await request('GET', `${project}/holdouts/q1`)).body.state).toBe('running')
  const since = new Date(services.clock().getTime() - 91 * 86_400_000)
  const goBack = (key: string) =>
    services.db.update(holdouts).set({ createdAt: since }).where(eq(holdouts.key, key))
  await goBack('q1')
  await Promise.all([endDueHoldouts(services), endDueHoldouts(services)])
  expect((await request('GET', `${project}/holdouts/q1`)).body).toMatchObject({
    ...{ state: 'ended', endedBy: 'schedule' },
  })
  const next = (await request('GET', `${project}/holdouts/q1-2`)).body
  expect(next).toMatchObject({
    ...{ name: 'Quarter (2)', state: 'running', follows: 'q1', share: 10_000, days: 91, flags: null },
    ...{ metrics: [{ metric: 'lcp' }], whenOver: 'repeat' },
  })
  const second = await services.db.select().from(holdouts).where(eq(holdouts.key, 'q1-2'))
  expect(second[0]?.salt).not.toBe(first[0]?.salt)
  expect(second[0]?.split).not.toBe(first[0]?.split)

  // A store that fails is asked again later, not with every look.
  await goBack('q1-2')
  let asked = 0
  const telemetry = {
    ...services.telemetry,
    read: () => {
      asked += 1
      return Promise.reject(new Error('no answer'))
    },
  }
  const failed: FailedEnds = new Map()
  const log = { ...services.log, warn: () => undefined }
  await endDueHoldouts({ ...services, telemetry, log }, failed)
  const once = asked
  expect(once).toBeGreaterThan(0)
  await endDueHoldouts({ ...services, telemetry, log }, failed)
  expect(asked).toBe(once)
  expect((await request('DELETE', `${project}/holdouts/q1`)).status).toBe(204)
  expect((await request('GET', `${project}/holdouts/q1-2`)).body.follows).toBeNull()

  const ending = await request('PATCH', `${project}/holdouts/q1-2`, { whenOver: 'end' })
  expect(ending.body.whenOver).toBe('end')
  await goBack('q1-2')
  await endDueHoldouts(services)
  const all = (await request('GET', `${project}/holdouts`)).body.items
  expect(all.filter(({ key }: { key: string }) => key.startsWith('q1'))).toMatchObject([
    { key: 'q1-2', state: 'ended' },
  ])
})

test('a holdout without users, or that no user is held out by, says so and gives no number', async () => {
  await ask('POST', '', { key: 'unreached', name: 'Unreached' })
  const { id: environment } = await ask('GET', '/unreached')
  const { services } = stage.telltale.running
  const project = environments.replace('/environments', '')
  await ask('POST', '/unreached/holdouts', { key: 'none', name: 'None', share: 1_000, metrics: ['lcp'] })
  const resultsOf = async () => (await request('GET', `${project}/holdouts/none/results`)).body
  const nothing = { verdict: 'collecting', missing: 'no-units', values: null, change: null }
  expect(await resultsOf()).toMatchObject({ finding: 'no-users', arm: { goals: [nothing] } })

  const [{ split } = { split: '' }] = await services.db
    .select()
    .from(holdouts)
    .where(eq(holdouts.environmentId, environment))
  const seen = (arm: string, count: number) =>
    Array.from({ length: count }, (_, user) => {
      const arms = [{ split, epoch: holdoutEpoch, arm, unit: `${arm === holdoutArms.others ? 1 : 2}${user}` }]
      const one = { ...plainEvent(environment, services.clock().getTime()), arms }
      return [
        { ...one, kind: 'exposure' },
        { ...one, kind: 'vital', name: 'LCP', value: 1_500 },
      ]
    }).flat()
  await sendEvents(services.telemetry, seen(holdoutArms.others, 300), 'others')
  expect(await resultsOf()).toMatchObject({
    finding: 'none-held-out',
    arm: { units: { treatment: 300, control: 0 }, goals: [nothing] },
  })
  await sendEvents(services.telemetry, seen(holdoutArms.heldOut, 5), 'held-out')
  expect(await resultsOf()).toMatchObject({ finding: 'too-few-users', arm: { goals: [{ change: null }] } })
})
