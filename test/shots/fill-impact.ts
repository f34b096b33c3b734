// A flag with an effect that is known, and one whose guard was started and stopped.

import type { Page } from '@playwright/test'
import type { BuiltServer } from '../browser/built-server.ts'
import { ask, projectPath } from '../browser/console-member.ts'
import { drawnVisits, inHalves, makeServedFlag } from '../browser/drawn-visits.ts'
import { environmentPath, openSeeder } from '../browser/seed-events.ts'

const people = 400

export async function fillImpact(page: Page, server: BuiltServer): Promise<void> {
  const seeder = await openSeeder(page, server)
  const drawn = { flag: 'delivery-slots', fallthrough: inHalves }
  const { fallthrough } = await makeServedFlag(page, server, drawn)
  await seeder.crowd(drawnVisits('delivery-slots', fallthrough.split, people))
  for (const flag of ['bike-builder', 'express-pay']) {
    await makeServedFlag(page, server, { flag, fallthrough: { variation: 'off' } })
    const made = {
      method: 'POST',
      path: `${environmentPath}/flags/${flag}/rollouts`,
      body: { treatment: 'on' },
    }
    const { id } = await ask<{ id: string }>(page, server, made)
    const path = `${projectPath}/rollouts/${id}`
    await ask(page, server, { method: 'POST', path: `${path}/start`, body: { turn: 0 } })
    if (flag === 'express-pay')
      await ask(page, server, { method: 'POST', path: `${path}/roll-back`, body: { comment: 'Too slow' } })
  }
}
