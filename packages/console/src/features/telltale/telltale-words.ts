// A telltale in words: its state, and the number behind it in the metric's own direction.

import { unitsForVerdict } from '@telltale/core/guard/judge-metric'
import {
  compareEvidence,
  type Evidence,
  healthyNote,
  type TelltaleState,
  telltaleStateOf,
} from '@telltale/core/states/telltale'
import type { FlagTelltale, GuardedTelltale, UnguardedTelltale } from '../../api/telltales.ts'
import { changeOf, limitText, metricLabel } from '../../ui/text/effect-text.ts'
import { cappedChangeText, fullCountText } from '../../ui/text/measure-text.ts'

export const noGuard: Evidence = { est: 0, lo: 0, hi: 0, limit: 1, override: 'none' }

/** Without an update for this long, it shows its time. */
const oldAfter = 300_000

export function evidenceOfTelltale(telltale: FlagTelltale | undefined): Evidence {
  if (telltale === undefined) return noGuard
  const { worst, override } = telltale
  const { lower = null, estimate = null, upper = null } = worst?.harm ?? {}
  const isFrozen = isPassed(telltale)
  return {
    est: estimate ?? (lower === null ? Number.NaN : Number.POSITIVE_INFINITY),
    lo: lower ?? Number.NEGATIVE_INFINITY,
    hi: upper ?? Number.POSITIVE_INFINITY,
    limit: worst?.limit ?? 1,
    // A passed rollout waits for nothing.
    override: isFrozen && override === 'waiting' ? 'none' : (override ?? undefined),
  }
}

export const telltaleId = (telltale: FlagTelltale) =>
  telltale.kind === 'guarded' ? telltale.rollout : `split ${telltale.split}`

export function stateOfTelltale(telltale: FlagTelltale | undefined): TelltaleState {
  return telltaleStateOf(evidenceOfTelltale(telltale))
}

/** A passed rollout shows that it passed, not the last confidence. */
export const lastWordOf = (telltale: FlagTelltale | undefined): string | undefined =>
  isPassed(telltale) ? 'Passed' : undefined

/** A verdict that no guard acts on. */
export const tagOf = (telltale: FlagTelltale): string | undefined =>
  telltale.kind === 'unguarded' ? 'unguarded' : undefined

const isPassed = (telltale: FlagTelltale | undefined): telltale is GuardedTelltale =>
  telltale?.kind === 'guarded' && telltale.state === 'completed'

const usersPerHour = (telltale: FlagTelltale) =>
  telltale.kind === 'unguarded' ? (telltale.harm?.usersPerHour ?? 0) : 0

/** By harm: the worst state first, then the most additional affected users per hour. */
export function compareTelltales(a: FlagTelltale, b: FlagTelltale): number {
  const [one, other] = [evidenceOfTelltale(a), evidenceOfTelltale(b)]
  const isSame = telltaleStateOf(one) === telltaleStateOf(other)
  return (isSame && usersPerHour(b) - usersPerHour(a)) || compareEvidence(one, other)
}

export const unguardedNote =
  'No guard acts on this verdict. In an environment, the chance that any split without harm is ever called regressed is at most 5%.'

/** `About 120 more affected users/hour`. Undefined without a regression. */
export function harmText({ harm }: Pick<UnguardedTelltale, 'harm'>): string | undefined {
  if (harm === null) return undefined
  const users = Math.round(harm.usersPerHour)
  if (users < 1) return 'Less than 1 more affected user/hour'
  return `About ${fullCountText(users)} more affected ${users === 1 ? 'user' : 'users'}/hour`
}

/** How long a rollback stays in the list. */
const remindedFor = 3 * 86_400_000
const troubled: readonly TelltaleState[] = ['fluttering', 'fouled', 'lifted']

/** Needs attention now. */
export function needsAttention(telltale: FlagTelltale, now: number): boolean {
  const state = stateOfTelltale(telltale)
  // Without a guard, no decision waits until a split harms users or its numbers are wrong.
  if (telltale.kind === 'unguarded') return state === 'fluttering' || state === 'fouled'
  if (state === 'down') return now - Date.parse(telltale.endedAt ?? '') < remindedFor
  return telltale.endedAt === null && troubled.includes(state)
}

/** The guard is active, so the value is current. */
export function isUnderGuard(telltale: FlagTelltale): telltale is GuardedTelltale {
  return telltale.kind === 'guarded' && telltale.endedAt === null
}

export function isOldTelltale(telltale: FlagTelltale | undefined, now: number): boolean {
  if (telltale === undefined || (telltale.kind === 'guarded' && telltale.endedAt !== null)) return false
  return now - Date.parse(telltale.checkedAt ?? telltale.startedAt ?? '') > oldAfter
}

/** `INP p75 +3.1%, limit +5%`; `34 of 100 users`. Undefined if there is nothing to report. */
export function telltaleText(telltale: FlagTelltale | undefined): string | undefined {
  const worst = telltale?.worst
  if (!telltale || !worst) return undefined
  if (stateOfTelltale(telltale) === 'waiting') return waitingText(worst)
  if (telltale.override === 'fouled') return 'Sample ratio mismatch'
  if (worst.harm === null) return undefined
  const { est, lo } = changeOf(worst.harm, worst.better)
  const change = Number.isFinite(est) ? cappedChangeText(est) : `${cappedChangeText(lo)} or more`
  const note = healthyNote(evidenceOfTelltale(telltale))
  const limit = isPassed(telltale) ? '' : `, limit ${limitText(worst.limit, worst.better)}`
  return `${metricLabel(worst)} ${change}${limit}${note === undefined ? '' : `, ${note}`}`
}

function waitingText({ missing, units }: NonNullable<FlagTelltale['worst']>): string {
  if (missing === 'too-few-events') return 'too few events yet'
  return `${fullCountText(Math.min(units.treatment, units.control))} of ${unitsForVerdict} users`
}
