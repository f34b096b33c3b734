// A site whose only monitoring is the Datadog client: the effects of a flag on its users are measured, and a rollout
// that harms them is rolled back by its guard.

import { v4 as newId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DatadogVisitor, sendDatadog } from '../../../../../test/intake/datadog-visitor.ts'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'

let telltale: Telltale
let owner: SomePerson
let key: string
const project = '/api/v1/projects/shop'
const staging = `${project}/environments/staging`

beforeAll(async () => {
  telltale = await startTelltale({ telemetry: true })
  owner = await telltale.person({ role: 'owner' })
  await telltale.project('shop')
  const { items } = await ask('GET', `${staging}/keys`)
  key = items.find(({ kind }: { kind: string }) => kind === 'client').value
})
afterAll(() => telltale?.[Symbol.asyncDispose]())

async function ask(method: string, path: string, body?: unknown) {
  const answer = await telltale.request(method, path, { as: owner, body })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

async function makeFlag(flag: string, fallthrough: object) {
  await ask('POST', `${project}/flags`, {
    key: flag,
    name: flag,
    valueType: 'boolean',
    clientVisible: true,
  })
  const at = `${staging}/flags/${flag}`
  const { version, salt: _salt, savedAt: _savedAt, ...config } = await ask('GET', `${at}/config`)
  await ask('PUT', `${at}/config`, { ...config, enabled: true, fallthrough, version })
  return at
}

/** Requests the flag from delivery, which counts the evaluation. */
async function readFlag(flag: string, targetingKey: string): Promise<unknown> {
  const answer = await fetch(`${telltale.url}/ofrep/v1/evaluate/flags/${flag}`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ context: { targetingKey } }),
  })
  const { value } = await answer.json()
  return value
}

const people = 240
let came = 0
/** Shares of users with an error. */
const harm = { true: 0.5, false: 0.02 }

/** Users visit, get the flag, and open a second page, where some have an error. */
async function visit(flag: string): Promise<void> {
  const now = telltale.running.services.clock().getTime()
  for (let first = 0; first < people; first += 40) {
    await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const visitor = new DatadogVisitor()
        visitor.usr = { id: `${flag}-${now}-${first + index}` }
        const value = (await readFlag(flag, String(visitor.usr.id))) === true
        const [page, next] = [newId(), newId()]
        const isHarmed = ((first + index) % 50) / 50 < harm[`${value}`]
        const events = [
          visitor.view(page, {
            at: now,
            flags: { [flag]: value },
            isActive: false,
            lcp: 900 + index,
          }),
          ...(isHarmed ? [visitor.error(next, { at: now + 2_000 })] : []),
          visitor.view(next, { at: now + 1_500, loading: 'route_change' }),
        ]
        const status = await sendDatadog({ url: telltale.url, key }, events, { batch_time: String(now) })
        expect(status).toBe(202)
      }),
    )
  }
  came += people
  await untilExposed()
}

/** As many exposures as visitors. */
async function untilExposed() {
  const { telemetry, evaluationCounts } = telltale.running.services
  await evaluationCounts.flush()
  const count = async () => {
    const [row] = await telemetry.read<{ n: string }>(
      "SELECT count() AS n FROM events WHERE kind = 'exposure'",
    )
    return Number(row?.n)
  }
  await expect.poll(count, { timeout: 20_000, interval: 50 }).toBe(came)
}

const of = (comparison: { metrics: { metric: string }[] }, metric: string) =>
  comparison.metrics.find((each) => each.metric === metric)

test('impact covers the users who saw it: harm in the treatment is a regression', async () => {
  const at = await makeFlag('checkout', {
    split: [
      { variation: 'off', weight: 50_000 },
      { variation: 'on', weight: 50_000 },
    ],
  })
  await visit('checkout')
  const compare = async () => (await ask('GET', `${at}/impact?control=off`)).compared.comparisons[0]
  const compared = async () => {
    const { units } = await compare()
    return units.treatment + units.control
  }
  // The sums by unit follow the events.
  await expect.poll(compared, { timeout: 20_000, interval: 100 }).toBe(people)
  const comparison = await compare()
  expect(comparison).toMatchObject({ split: 'as-designed', crossed: 0 })
  expect(of(comparison, 'users-with-an-error')).toMatchObject({ state: 'regressed' })
  expect(of(comparison, 'lcp')).not.toMatchObject({ state: 'regressed' })
})

test('a harmful rollout is rolled back by its guard', async () => {
  const at = await makeFlag('payment', { variation: 'off' })
  const drafted = await ask('POST', `${at}/rollouts`, {
    treatment: 'on',
    stages: [
      { weight: 50_000, minDuration: 180_000, minUnits: 100, needsApproval: false },
      { weight: 100_000, minDuration: 180_000, minUnits: 100, needsApproval: false },
    ],
    metrics: [{ metric: 'users-with-an-error', limit: 0.3, role: 'required', onRegression: 'roll-back' }],
  })
  const rollout = `${project}/rollouts/${drafted.id}`
  await ask('POST', `${rollout}/start`, { turn: drafted.turn })
  for (let minute = 0; minute < 5; minute++) {
    telltale.passTime(60_000)
    await visit('payment')
    await telltale.running.services.guard.look()
    if ((await ask('GET', rollout)).state === 'rolled-back') break
  }
  expect((await ask('GET', rollout)).state).toBe('rolled-back')
  const { items } = await ask('GET', `${rollout}/decisions`)
  expect(items).toContainEqual(
    expect.objectContaining({ action: 'roll-back', reason: 'regressed', metric: 'users-with-an-error' }),
  )
  expect(await readFlag('payment', 'whoever')).toBe(false)
}, 60_000)
