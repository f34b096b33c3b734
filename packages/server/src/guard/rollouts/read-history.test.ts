import { limits } from '@telltale/core/limits'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { GuardedSite, startGuardedShop } from '../../../../../test/guard/guarded-site.ts'
import type { SomePerson, Telltale } from '../../../../../test/start.ts'

let telltale: Telltale
let owner: SomePerson

beforeAll(async () => {
  ;({ telltale, owner } = await startGuardedShop())
})
afterAll(() => telltale[Symbol.asyncDispose]())

interface Point {
  at: string
  units: { treatment: number; control: number }
  findings: { metric: string; harm: { estimate: number | null } | null }[]
}

test('a rollout rolled back within minutes has a history that ends with its decision', async () => {
  const site = await GuardedSite.open(telltale, owner, {
    flag: 'harmful',
    errors: { treatment: 0.14, control: 0.05 },
  })
  for (let look = 0; look < 20 && (await site.ask('GET')).state !== 'rolled-back'; look += 1)
    await site.pass(1_000)
  const rollout = await site.ask('GET')
  expect(rollout.state).toBe('rolled-back')

  // The guard stores a moment every five minutes: hardly any for this rollout. A busy store leaves it at those.
  const items = await vi.waitFor(
    async () => {
      const { items }: { items: Point[] } = await site.ask('GET', '/history')
      expect(items.length).toBeGreaterThan(limits.impactPoints / 2)
      return items
    },
    { timeout: 30_000, interval: 500 },
  )
  expect(items.map(({ at }) => at)).toEqual(items.map(({ at }) => at).toSorted())
  const estimates = items.map(
    ({ findings }) => findings.find(({ metric }) => metric === 'users-with-an-error')?.harm?.estimate ?? null,
  )
  expect(estimates.filter((one) => one !== null && one > 0.3).length).toBeGreaterThan(5)
  const users = items.map(({ units }) => units.treatment + units.control)
  expect(users).toEqual(users.toSorted((one, other) => one - other))
  expect(items.at(-1)?.units).toEqual(rollout.seen.units)
})
