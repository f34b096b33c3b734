// Loaded while the environment orders recordings: a session that matches an order is recorded or profiled with a higher
// probability from then on. Each event and recording says with which, so that statistics can weight it.

import type { EventContext } from '@telltale/core/contract/events'
import { samplePosition } from '@telltale/core/keys'
import { type RecordingOrder, type RecordingRates, ratesOf } from '@telltale/core/recording/chance'
import { readStored, writeStored } from '../browser/store.ts'
import type { Sampled, SampledPlace } from '../sampled.ts'

/** `first`: what runs by now, at the rates of the environment. */
export function applyOrders(
  place: SampledPlace,
  first: Sampled,
  start: (place: SampledPlace, first: EventContext) => Sampled,
): Sampled {
  const name = `telltale:${place.server.key}:orders`
  const over = new Set<string>()
  let running = first
  let session = ''
  let rates: RecordingRates = { replay: 0, profile: 0 }
  let runs = ''
  const ordered = { ...place, settings: () => ({ ...place.settings(), ...rates }) }
  const limited = ({ replay, profile }: RecordingRates): RecordingRates => ({
    replay: Math.min(replay, place.own.replaySampling ?? 100) / 100,
    profile: Math.min(profile, place.own.profileSampling ?? 100) / 100,
  })
  /** Which kinds of recordings run at these rates. */
  const runsAt = (given: RecordingRates) => {
    const { replay, profile } = limited(given)
    const position = samplePosition(session)
    return `${position < replay} ${position < profile}`
  }
  const settle = (context: EventContext) => {
    const settings = place.settings()
    const { orders } = settings
    const next = ratesOf(listOf(orders), highest(rates, settings), seenIn(context))
    // What the environment has switched off stays off.
    const permitted = {
      replay: settings.replay && next.replay,
      profile: settings.profile && next.profile,
    }
    if (permitted.replay > rates.replay || permitted.profile > rates.profile)
      writeStored(name, JSON.stringify([session, permitted.replay, permitted.profile]))
    rates = permitted
    context.inclusion = limited(rates)
  }
  return {
    note(event, context) {
      // Arrived late, for a session that has ended.
      if (over.has(context.session)) return false
      const isNew = context.session !== session
      if (isNew) {
        over.add(session)
        session = context.session
        rates = readKept(name, session)
      }
      settle(context)
      // A new session begins with the rates that its place knows.
      if (isNew) runs = runsAt(running === first ? place.settings() : rates)
      const wanted = runsAt(rates)
      if (wanted !== runs) {
        running.stop(true)
        running = start(ordered, context)
        runs = wanted
      }
      return running.note(event, context)
    },
    stop: (sendsRest) => running.stop(sendsRest),
  }
}

const highest = (one: RecordingRates, other: RecordingRates): RecordingRates => ({
  replay: Math.max(one.replay, other.replay),
  profile: Math.max(one.profile, other.profile),
})

/** Those of this session on earlier pages and in other tabs. */
function readKept(name: string, session: string): RecordingRates {
  try {
    const [of, replay, profile] = JSON.parse(readStored(name) ?? '[]')
    if (of === session) return { replay, profile }
  } catch {
    // Written by other code.
  }
  return { replay: 0, profile: 0 }
}

const listOf = (orders: unknown): RecordingOrder[] => (Array.isArray(orders) ? orders : [])

function seenIn({ reads, page, version }: EventContext) {
  return { reads, page, path: location.pathname, version, device: deviceOf(navigator.userAgent) }
}

/** As the server names it in most cases; an order of another device is not applied. */
function deviceOf(agent: string): string {
  if (/iPad|Tablet|Android(?!.*Mobile)/.test(agent)) return 'tablet'
  return /Mobi/.test(agent) ? 'mobile' : 'desktop'
}
