// Sends the deliveries in the outbox concurrently, so that a receiver that hangs does not delay others. After a
// crash, another server sends a delivery again, with the same id.

import { limits } from '@telltale/core/limits'
import { eventOf } from '@telltale/core/notices/notice'
import { publicOrigin } from '../../access/public-origin.ts'
import { finish, startRepeating } from '../../platform/process/repeat.ts'
import type { Services } from '../../platform/services.ts'
import { attempt, type SendingServices } from './attempt.ts'
import { type Claimed, claimDue } from './claim.ts'
import { settle } from './settle.ts'

type CourierServices = SendingServices & Pick<Services, 'db' | 'log'>

/** Returns a function that stops it. */
export function startCourier(
  services: CourierServices & Pick<Services, 'announcements'>,
): () => Promise<void> {
  const { db, announcements, clock, log } = services
  const underWay = new Set<Promise<void>>()
  let looking: Promise<void> | undefined
  let isRequested = false
  let isStopping = false

  const carry = async (claimed: Claimed) => {
    try {
      await carryOut(services, claimed)
    } catch (error) {
      // Its lease expires, and it is tried again.
      log.warn({ err: error, delivery: claimed.delivery.id }, 'the result of a delivery could not be saved')
    }
  }
  const takeDue = async () => {
    const free = limits.deliveriesAtOnce - underWay.size
    if (free <= 0) return
    for (const claimed of await claimDue(db, clock(), free)) {
      const work: Promise<void> = carry(claimed).finally(() => {
        underWay.delete(work)
        // More deliveries of the same channel may be waiting for a free slot.
        hurry()
      })
      underWay.add(work)
    }
  }
  /** One at a time, and once more if requested meanwhile. */
  const look = async () => {
    isRequested = true
    looking ??= (async () => {
      try {
        while (isRequested && !isStopping) {
          isRequested = false
          await takeDue()
        }
      } finally {
        looking = undefined
      }
    })()
    await looking
  }
  // The next regular run reports a failure.
  const hurry = () => void look().catch(() => undefined)

  const stopHearing = announcements.subscribe({
    onChange: ({ action }) => {
      if (mayBeNews(action)) hurry()
    },
  })
  const stopLooking = startRepeating(
    log,
    { what: 'delivering notifications', every: limits.deliveryPoll },
    look,
  )
  return async () => {
    isStopping = true
    stopHearing()
    await stopLooking()
    await finish(log, 'delivering notifications', Promise.resolve(looking))
    await finish(log, 'delivering notifications', Promise.all(underWay))
  }
}

const mayBeNews = (action: string) => eventOf(action) !== undefined || action.startsWith('channel.')

/** One attempt and its consequences. */
export async function carryOut(
  services: CourierServices,
  claimed: Claimed,
  options: { isOnce?: boolean } = {},
): Promise<void> {
  const { db, clock, log } = services
  const began = clock()
  const start = performance.now()
  const outcome = await attempt(services, claimed, await publicOrigin(services))
  const duration = performance.now() - start
  if (outcome.failure !== null) {
    const { channel, delivery } = claimed
    const what = { channel: channel.id, delivery: delivery.id, tries: delivery.tries }
    log.info({ ...what, failure: outcome.failure }, 'a delivery failed')
  }
  await settle(db, { claimed, outcome, began, now: clock(), duration, ...options })
}
