// A rollout after a rollback has to prove that what explained it is gone, on the real engines.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { GuardedSite, minute, stage, startGuardedShop } from '../../../../../test/guard/guarded-site.ts'
import type { SomePerson, Telltale } from '../../../../../test/start.ts'
import { createExplainer } from './explain-roll-backs.ts'

let telltale: Telltale
let owner: SomePerson
let failed: GuardedSite

beforeAll(async () => {
  ;({ telltale, owner } = await startGuardedShop())
  failed = await GuardedSite.open(telltale, owner, {
    flag: 'harmful',
    errors: { treatment: 0.4, control: 0.02 },
  })
  for (let look = 0; look < 12 && (await failed.ask('GET')).state !== 'rolled-back'; look += 1)
    await failed.pass(1_200)
})
afterAll(() => telltale?.[Symbol.asyncDispose]())

const stages = [50_000, 100_000].map((weight) => stage(weight, { minDuration: 2 * minute }))
const rolloutsOf = '/api/v1/projects/shop/environments/staging/flags/harmful/rollouts'
const draft = (more: object) =>
  telltale.request('POST', rolloutsOf, { as: owner, body: { treatment: 'on', stages, ...more } })

test('a proof needs a rollback with an explanation', async () => {
  const proves = (await failed.ask('GET')).id
  const early = await draft({ proves })
  expect([early.status, early.body.errors]).toEqual([422, [expect.objectContaining({ pointer: '/proves' })]])
  telltale.passTime(2 * minute)
  await createExplainer(telltale.running.services)()
  const made = await draft({ proves })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const { proof } = made.body
  expect(proof).toMatchObject({ of: proves, verdict: 'undecided' })
  const [harm] = proof.harms
  expect(harm).toMatchObject({ kind: 'issue', metric: 'users-with-an-error', state: 'undecided', now: null })
  expect(harm.before.excess.lower).toBeGreaterThan(0.1)
  expect(harm.before.excess.upper).toBeLessThan(0.7)
  expect(harm.units).toBeGreaterThan(50)
  // The draft keeps it when it changes.
  const path = `/api/v1/projects/shop/rollouts/${made.body.id}`
  const changed = await telltale.request('PATCH', path, {
    as: owner,
    body: { turn: made.body.turn, timeBox: 90 * minute },
  })
  expect(changed.body.proof).toEqual(proof)
  expect((await telltale.request('DELETE', path, { as: owner })).status).toBe(204)
})

test('a true fix is called fixed and completes; a change that fixes nothing stays in its stage as not fixed', async () => {
  const proves = (await failed.ask('GET')).id
  // Without metrics of the plan that would roll back, the proof alone holds the stages.
  const metrics = [{ metric: 'lcp', limit: 0.3, role: 'watched', onRegression: 'roll-back' }]
  const still = await failed.another({
    errors: { treatment: 0.4, control: 0.02 },
    more: { proves, stages, metrics },
  })
  for (let look = 0; look < 5; look += 1) await still.pass(800)
  const open = await still.ask('GET')
  expect(open).toMatchObject({ state: 'running', stage: 0, proof: { verdict: 'not-fixed' } })
  expect(open.proof.harms[0].gone.upper).toBeLessThan(0.6)
  await still.end()

  const fixed = await failed.another({
    errors: { treatment: 0.02, control: 0.02 },
    more: { proves, stages, metrics },
  })
  for (let look = 0; look < 9 && (await fixed.ask('GET')).state === 'running'; look += 1)
    await fixed.pass(2_000)
  const { state, proof, seen, regressed } = await fixed.ask('GET')
  expect({ state, verdict: proof.verdict }, JSON.stringify(proof)).toEqual({
    state: 'completed',
    verdict: 'fixed',
  })
  expect(proof.harms[0].gone.lower).toBeGreaterThan(0.8)
  // The proof is no metric of the plan, and is not shown as one.
  expect(seen.findings.map(({ metric }: { metric: string }) => metric)).toEqual(['lcp'])
  expect(regressed).toEqual([])
  const { items } = await fixed.ask('GET', '/decisions')
  for (const { findings } of items)
    expect(findings.every(({ metric }: { metric: string }) => metric === 'lcp')).toBe(true)
})

test('a proof is about the flag and the environment of its rollout', async () => {
  const proves = (await failed.ask('GET')).id
  const other = await GuardedSite.open(telltale, owner, { flag: 'other' })
  const path = '/api/v1/projects/shop/environments/staging/flags/other/rollouts'
  const refused = await telltale.request('POST', path, {
    as: owner,
    body: { treatment: 'on', stages, proves },
  })
  expect(refused.body.errors).toEqual([expect.objectContaining({ pointer: '/proves' })])
  await other.end()
  const unproven = await draft({ proves: (await other.ask('GET')).id })
  expect(unproven.status).toBe(422)
})
