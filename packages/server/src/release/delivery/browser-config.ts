// What browsers learn of their environment: settings, and which sessions are recorded more often now. The text is made
// once for each change, not for each request.

import { createHash } from 'node:crypto'
import type { PrivacyRule } from '@telltale/core/contract/environments'
import { limits } from '@telltale/core/limits'
import type { RecordingOrder } from '@telltale/core/recording/chance'
import { recordingLimits } from '@telltale/core/recording-limits'
import type { KnownEnvironment } from '../../organisation/keys/known-keys.ts'
import type { Delivery, ServedPlan } from './delivery.ts'
import { entityTag } from './entity-tag.ts'

interface BrowserConfig {
  text: string
  tag: string
}

interface Made extends BrowserConfig {
  isPaused: boolean
  plan: ServedPlan | undefined
}

const tagLength = 22

export function createBrowserConfigs({
  reductions,
  recordingPlans,
}: Pick<Delivery, 'reductions' | 'recordingPlans'>): (environment: KnownEnvironment) => BrowserConfig {
  const made = new WeakMap<KnownEnvironment, Made>()

  return (environment) => {
    const isPaused = reductions.of(environment)?.pausesRecording === true
    const plan = recordingPlans.of(environment.id)
    const known = made.get(environment)
    if (known !== undefined && known.isPaused === isPaused && known.plan === plan) return known
    const text = describe(environment, isPaused ? undefined : plan, isPaused)
    const tag = entityTag(createHash('sha256').update(text).digest('base64url').slice(0, tagLength))
    const next = { text, tag, isPaused, plan }
    made.set(environment, next)
    return next
  }
}

function describe(environment: KnownEnvironment, plan: ServedPlan | undefined, isPaused: boolean): string {
  const { key, privacyLevel, sampling } = environment
  const { evaluationBodySize, streamHeartbeat } = limits
  // What would be dropped is better not sent.
  const rates = isPaused ? { replay: 0, profile: 0 } : ratesIn(plan, sampling)
  const usual = {
    environment: key,
    sampling: { ...sampling, ...rates },
    privacyLevel,
    masking: describeMasking(environment),
    capture: describeCapture(environment),
    limits: { evaluationBodySize, streamHeartbeat },
  }
  const groups = groupsOf((plan?.orders ?? []).map((order) => permitted(order, sampling)))
  for (let count = groups.length; count > 0; count--) {
    const text = JSON.stringify({ ...usual, ...withOrders(groups.slice(0, count).flat()) })
    if (Buffer.byteLength(text) <= recordingLimits.configurationSize.value) return text
  }
  return JSON.stringify(usual)
}

/** The plan may be older than the settings: it never permits more than they do. */
const ratesIn = (plan: ServedPlan | undefined, { replay, profile }: KnownEnvironment['sampling']) =>
  plan === undefined
    ? { replay, profile }
    : { replay: Math.min(replay, plan.base.replay), profile: Math.min(profile, plan.base.profile) }

const permitted = (
  { flag, variation, page, version, device, replay, profile }: RecordingOrder,
  sampling: KnownEnvironment['sampling'],
): RecordingOrder => ({
  ...{ flag, variation, page, version, device },
  replay: sampling.replay > 0 ? replay : 0,
  profile: sampling.profile > 0 ? profile : 0,
})

/** `reach` is the highest of all rates: no other session needs to compare itself with the orders. */
const withOrders = (orders: readonly RecordingOrder[]) => ({
  orders,
  reach: Math.max(...orders.flatMap(({ replay, profile }) => [replay, profile])),
})

/** Orders that differ by their variation alone are sent together or not at all. */
function groupsOf(orders: readonly RecordingOrder[]): RecordingOrder[][] {
  const groups = new Map<string, RecordingOrder[]>()
  for (const order of orders) {
    const { flag, page, version, device } = order
    const name = JSON.stringify([flag, page, version, device])
    groups.set(name, [...(groups.get(name) ?? []), order])
  }
  return [...groups.values()]
}

/** What replays mask in addition to their level. Unmask rules are withheld from browsers while they have no effect. */
function describeMasking({ unmaskAllowed = false, privacyRules = [] }: KnownEnvironment): object {
  const selectors = (wanted: PrivacyRule['action']) =>
    privacyRules.filter(({ action }) => action === wanted).map(({ selector }) => selector)
  return {
    permitsUnmask: unmaskAllowed,
    rules: {
      mask: selectors('mask'),
      unmask: unmaskAllowed ? selectors('unmask') : [],
      block: selectors('block'),
    },
  }
}

/** What replays record beside the page. `masked`: names whose values the environment masks everywhere. */
function describeCapture({ consoleRecorded = false, requestRules = [], scrub }: KnownEnvironment): object {
  const isOn = consoleRecorded || requestRules.length > 0
  return {
    console: consoleRecorded,
    requests: requestRules,
    masked: isOn ? [...(scrub?.parameters ?? []), ...(scrub?.attributes ?? [])] : [],
  }
}
