// Evaluates every alert that is due. With several servers, a lease assigns each look to one of them; if that
// server dies, another takes over.

import { limits } from '@telltale/core/limits'
import { keepLook } from './keep-look.ts'
import { type AlertServices, measureWindow } from './measure-window.ts'
import { type AlertRef, claimAlerts, getAlert } from './queries.ts'

/** Evaluated sequentially, because screens use the engine as well. The rest is left to the next run. */
const atOnce = 10

export async function lookAtAlerts(services: AlertServices): Promise<void> {
  const { db, clock } = services
  const deadline = clock().getTime() + limits.alertInterval
  while (clock().getTime() < deadline) {
    const claimed = await claimAlerts(db, clock(), atOnce)
    if (claimed.length === 0) return
    for (const ref of claimed) await lookAt(services, ref)
  }
}

async function lookAt(services: AlertServices, ref: AlertRef): Promise<void> {
  const { db, clock, log } = services
  try {
    const { row, environment } = await getAlert(db, ref)
    if (row.rule.kind !== 'measure') return
    const measured = await measureWindow(services, { environment, rule: row.rule })
    const origin = {
      actor: { kind: 'system', id: null, name: 'alerts' },
      requestId: null,
      now: clock(),
    } as const
    await keepLook(db, origin, { ref, version: row.version, measured })
  } catch (error) {
    // Its lease expires, and a server tries again.
    log.warn({ err: error, alert: ref.id }, 'an alert could not be evaluated')
  }
}
