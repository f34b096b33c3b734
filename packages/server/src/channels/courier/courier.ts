// Carries out what stands in the outbox, side by side, so that nobody waits for a receiver that hangs. What it was sending when
// it died is sent again by whoever is there, with the same id.

import { limits } from '@telltale/core/limits'
import { finish, startRepeating } from '../../repeat.ts'
import { attempt, type CourierServices } from './attempt.ts'
import { type Claimed, claimDue } from './claim.ts'
import { settle } from './settle.ts'

/** Gives how to stop. */
export function startCourier(services: CourierServices): () => Promise<void> {
  const { db, clock, log } = services
  const underWay = new Set<Promise<void>>()
  let isStopping = false

  const carry = async (claimed: Claimed) => {
    try {
      await carryOut(services, claimed)
    } catch (error) {
      // Its lease runs out, and it is tried again.
      log.warn({ err: error, delivery: claimed.delivery.id }, 'what came of a delivery could not be kept')
      return
    }
    // More of the same channel may wait for its place; when the look fails, the next regular one says so.
    if (!isStopping) await look().catch(() => undefined)
  }
  const look = async () => {
    const free = limits.deliveriesAtOnce - underWay.size
    if (free <= 0) return
    for (const claimed of await claimDue(db, clock(), free)) {
      const work: Promise<void> = carry(claimed).finally(() => underWay.delete(work))
      underWay.add(work)
    }
  }
  const stopLooking = startRepeating(log, { what: 'delivering news', every: limits.deliveryPoll }, look)
  return async () => {
    isStopping = true
    await stopLooking()
    await finish(log, 'delivering news', Promise.all(underWay))
  }
}

/** One attempt, and what follows from it. */
export async function carryOut(
  services: CourierServices,
  claimed: Claimed,
  options: { isOnce?: boolean } = {},
): Promise<void> {
  const { db, clock, log } = services
  const began = clock()
  const start = performance.now()
  const outcome = await attempt(services, claimed)
  const duration = performance.now() - start
  if (outcome.failure !== null) {
    const { channel, delivery } = claimed
    const what = { channel: channel.id, delivery: delivery.id, tries: delivery.tries }
    log.info({ ...what, failure: outcome.failure }, 'a delivery was not taken')
  }
  await settle(db, { claimed, outcome, began, now: clock(), duration, ...options })
}
