import { limits } from '@telltale/core/limits'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GuardedSite, startGuardedShop } from '../../../../../test/guard/guarded-site.ts'
import type { SomePerson, Telltale } from '../../../../../test/start.ts'
import { createExplainer } from './explain-roll-backs.ts'

let telltale: Telltale
let owner: SomePerson

beforeAll(async () => {
  ;({ telltale, owner } = await startGuardedShop())
})
afterAll(() => telltale[Symbol.asyncDispose]())

test('a rollback is explained, once more for late events, and the explanation outlives the events', async () => {
  const { services } = telltale.running
  const site = await GuardedSite.open(telltale, owner, {
    flag: 'harmful',
    errors: { treatment: 0.4, control: 0.02 },
  })
  for (let look = 0; look < 12 && (await site.ask('GET')).state !== 'rolled-back'; look += 1)
    await site.pass(1_200)
  expect((await site.ask('GET')).state).toBe('rolled-back')
  expect(await site.ask('GET', '/evidence')).toEqual({ items: [] })

  const explain = createExplainer(services)
  telltale.passTime(2 * 60_000)
  await explain()
  const { items } = await site.ask('GET', '/evidence')
  expect(items).toHaveLength(1)
  const [{ found }] = items
  expect(found).toMatchObject({ metric: 'users-with-an-error', missing: null })
  expect(found.explanations[0]).toMatchObject({ kind: 'issue', share: { estimate: 1 } })
  expect(found.explanations[0].values.treatment).toBeGreaterThan(5 * found.explanations[0].values.control)

  expect(found.explanations[0].replays).toEqual([])

  await services.telemetry.command(
    "ALTER TABLE events UPDATE has_replay = 1 WHERE kind = 'error' SETTINGS mutations_sync = 2",
  )
  await explain()
  expect((await site.ask('GET', '/evidence')).items).toEqual(items)
  telltale.passTime(limits.evidenceReadAgain)
  await explain()
  const [late] = (await site.ask('GET', '/evidence')).items
  expect(Date.parse(late.at)).toBeGreaterThan(Date.parse(items[0].at))
  const { share, values } = found.explanations[0]
  expect(late.found.explanations[0]).toMatchObject({ kind: 'issue', share, values })
  expect(late.found.explanations[0].replays).toHaveLength(limits.evidenceReplays)

  await services.telemetry.command(
    "ALTER TABLE events DELETE WHERE kind = 'error' SETTINGS mutations_sync = 2",
  )
  telltale.passTime(limits.evidenceReadAgain)
  await explain()
  expect((await site.ask('GET', '/evidence')).items).toEqual([late])
})
