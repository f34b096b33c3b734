// The guard of a server leaves the rollouts of its demo alone until their story is told.

import { expect, test } from 'vitest'
import { demo } from '../../demo/demo.ts'
import { startTelltale } from '../start.ts'

test('a guard that looks continuously decides nothing while the demo is created', async () => {
  const settings = {
    TELLTALE_DEMO: 'on',
    TELLTALE_DEMO_VISITS: '1',
    TELLTALE_DEMO_VISITORS: 'off',
    // Nobody answers there: a guard that looks at a rollout holds it.
    CLICKHOUSE_URL: 'http://127.0.0.1:9',
  }
  await using telltale = await startTelltale({ settings, demo })
  const { services, demo: made } = telltale.running
  let isMade = false
  const ready = made?.ready().finally(() => {
    isMade = true
  })
  const looking = (async () => {
    while (!isMade) await services.guard.look()
  })()
  await ready
  await looking

  const owner = await telltale.person({ role: 'owner' })
  const { body } = await telltale.request('GET', '/api/v1/projects/storefront/rollouts', { as: owner })
  expect(body.items).toHaveLength(demo.project.rollouts.length)
  for (const { id } of body.items) {
    const path = `/api/v1/projects/storefront/rollouts/${id}/decisions`
    const { body: decided } = await telltale.request('GET', path, { as: owner })
    const { flag, stages } = body.items.find((one: { id: string }) => one.id === id)
    const planned = demo.project.rollouts.find(
      (one) => one.flag === flag && one.stages[0]?.minDuration === stages[0].minDuration,
    )
    const reported = planned?.steps.map(({ action }) => action)
    // What the guard does afterwards, with no telemetry store, is its own.
    const actions = decided.items.map(({ action }: { action: string }) => action).reverse()
    expect(actions.slice(0, 1 + (reported?.length ?? 0))).toEqual(['start', ...(reported ?? [])])
  }
})
