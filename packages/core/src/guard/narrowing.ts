// What a rollout excludes: the state of narrowing, and the decision about it at one look. A slice that is harmed is
// excluded but for a probe, and comes back when the probe is healthy or the exclusion expires.

import { limits as general } from '../limits.ts'
import { narrowing as limits } from '../narrow-limits.ts'
import { proportionBounds } from '../statistics/proportion-bounds.ts'
import type { Finding } from './judge-metric.ts'
import type { SliceFinding, SliceFindings } from './judge-slices.ts'
import { isSameSlice, type Slice } from './slice.ts'

export interface Exclusion {
  /** A UUID, also of its rule. */
  id: string
  slice: Slice
  /** The metric that was harmed, with the harm in the slice and among all others when it was excluded. */
  metric: string
  harm: NonNullable<Finding['harm']>
  elsewhere: NonNullable<Finding['harm']>
  /** Of all users of the split. */
  share: number
  /** Instants in milliseconds. */
  since: number
  until: number
  /** When the current period of the probe began. */
  round: number
  /** The metric in the probe at the last search. */
  probe?: Pick<Finding, 'state' | 'harm' | 'units' | 'missing'> | undefined
}

export interface Narrowing {
  excluded: readonly Exclusion[]
  /** Exclusions and extensions so far. */
  times: number
  /** Slices that are searched. */
  searched: readonly string[]
  /** Slices that a member let back: not excluded again. */
  kept: readonly Slice[]
  /** At the last search: harm in it is likely, so no stage ends until it is certain or unlikely. */
  suspected?: { slice: Slice; metric: string } | undefined
  /** The last search, an instant in milliseconds. */
  searchedAt?: number | undefined
}

export const notNarrowed: Narrowing = { excluded: [], times: 0, searched: [], kept: [] }

export type NarrowStep =
  | { kind: 'none' }
  | { kind: 'exclude' | 'extend' | 'next-round'; exclusion: Exclusion }
  | { kind: 'restore'; exclusion: Exclusion; reason: 'probe-healthy' | 'exclusion-expired' }
  | {
      kind: 'give-up'
      found: Pick<SliceFinding, 'slice' | 'metric'>
      reason: 'slice-too-large' | 'narrowed-too-often' | 'exclusion-ineffective'
    }

export interface NarrowingTurn {
  narrowing: Narrowing
  step: NarrowStep
}

interface Searched {
  now: number
  found: SliceFindings
  /** For a new exclusion. */
  newId: string
}

/** At most one step: the next search sees its effect. */
export function narrowBy(before: Narrowing, { now, found, newId }: Searched): NarrowingTurn {
  const excluded = before.excluded.map((one) => ({ ...one, probe: probeOf(one, found.findings) }))
  const suspect = worstOf(before, found.findings, 'isSuspected')
  const narrowing: Narrowing = {
    ...{ ...before, excluded, searched: found.searched, searchedAt: now },
    suspected: suspect && { slice: suspect.slice, metric: suspect.metric },
  }
  const ineffective = excluded.find((one) => isIneffective(one, found.findings))
  if (ineffective !== undefined)
    return { narrowing, step: { kind: 'give-up', found: ineffective, reason: 'exclusion-ineffective' } }
  const harmed = worstOf(narrowing, found.findings, 'isHarmed')
  if (harmed !== undefined) return excludeSlice(narrowing, harmed, { now, newId })
  const healthy = excluded.find(isProbeHealthy)
  if (healthy !== undefined) return restore(narrowing, healthy, 'probe-healthy')
  const expired = excluded.find(({ until }) => until <= now)
  if (expired !== undefined) return expire(narrowing, expired, now)
  const [first] = excluded.filter(({ round }) => now - round >= limits.round)
  return first === undefined ? { narrowing, step: { kind: 'none' } } : beginRound(narrowing, first, now)
}

/** For all probes at once. */
function beginRound(narrowing: Narrowing, exclusion: Exclusion, now: number): NarrowingTurn {
  const excluded = narrowing.excluded.map((one) => ({ ...one, round: now }))
  return { narrowing: { ...narrowing, excluded }, step: { kind: 'next-round', exclusion } }
}

/** The probability that a probe that is as designed is ever called too large. */
const designLevel = 0.001

/**
 * Surely twice as many users of the slice are in the split as in its probe: the context of some has no such attribute, or
 * another value of it.
 */
function isIneffective({ slice, share }: Exclusion, findings: readonly SliceFinding[]): boolean {
  const present = findings.find((one) => isSameSlice(one.slice, slice))?.present
  if (present === undefined) return false
  const designed = (share * probeShare) / (1 - share * (1 - probeShare))
  return proportionBounds(present, designLevel).lower > 2 * designed
}

function probeOf({ slice, metric, probe }: Exclusion, findings: readonly SliceFinding[]): Exclusion['probe'] {
  const found = findings.find((one) => isSameSlice(one.slice, slice) && one.metric === metric)
  if (found === undefined) return probe
  const { state, harm, units, missing } = found.inside
  return { state, harm, units, missing }
}

/** Surely below the margin for so many users, and surely below the harm that was measured when it was excluded. */
function isProbeHealthy({ probe, harm }: Exclusion): boolean {
  return probe?.state === 'healthy' && probe.harm !== undefined && probe.harm.upper < harm.estimate
}

/** With the strongest evidence: a slice that merely overlaps with the harmed one has less. */
function worstOf(
  { excluded, kept }: Narrowing,
  findings: readonly SliceFinding[],
  is: 'isHarmed' | 'isSuspected',
): SliceFinding | undefined {
  const skipped = [...kept, ...excluded.map(({ slice }) => slice)]
  const evidenceOf = ({ inside }: SliceFinding) => inside.evidence?.regression ?? 0
  return findings
    .filter((found) => found[is] && !skipped.some((one) => isSameSlice(one, found.slice)))
    .toSorted((one, other) => evidenceOf(other) - evidenceOf(one))
    .at(0)
}

function excludeSlice(
  narrowing: Narrowing,
  found: SliceFinding,
  { now, newId }: { now: number; newId: string },
): NarrowingTurn {
  const { slice, metric, inside, outside } = found
  const giveUp = (reason: 'slice-too-large' | 'narrowed-too-often'): NarrowingTurn => ({
    narrowing,
    step: { kind: 'give-up', found, reason },
  })
  const before = excludedShare(narrowing)
  // The share of a further slice is that among those who are still in the split.
  const share = found.share * (1 - before * (1 - probeShare))
  if (before + share > limits.share) return giveUp('slice-too-large')
  if (narrowing.times >= limits.times) return giveUp('narrowed-too-often')
  const exclusion: Exclusion = {
    ...{ id: newId, slice, metric, share, since: now, until: now + limits.lasts, round: now },
    harm: inside.harm ?? noHarm,
    elsewhere: outside?.harm ?? noHarm,
  }
  return {
    narrowing: {
      ...{ ...narrowing, suspected: undefined },
      ...{ excluded: [...narrowing.excluded, exclusion], times: narrowing.times + 1 },
    },
    step: { kind: 'exclude', exclusion },
  }
}

const noHarm = { lower: 0, estimate: 0, upper: 0 }
const probeShare = limits.probe / general.weightTotal

/** Of all users of the split, those in excluded slices. */
export const excludedShare = ({ excluded }: Narrowing) => excluded.reduce((sum, { share }) => sum + share, 0)

/** Extended if the probe is surely still harmed, which counts as another exclusion; otherwise its users come back. */
function expire(narrowing: Narrowing, expired: Exclusion, now: number): NarrowingTurn {
  if (expired.probe?.state !== 'regressed') return restore(narrowing, expired, 'exclusion-expired')
  if (narrowing.times >= limits.times)
    return { narrowing, step: { kind: 'give-up', found: expired, reason: 'narrowed-too-often' } }
  const exclusion = { ...expired, until: now + limits.lasts }
  const excluded = narrowing.excluded.map((one) => (one.id === expired.id ? exclusion : one))
  return {
    narrowing: { ...narrowing, excluded, times: narrowing.times + 1 },
    step: { kind: 'extend', exclusion },
  }
}

function restore(
  narrowing: Narrowing,
  exclusion: Exclusion,
  reason: 'probe-healthy' | 'exclusion-expired',
): NarrowingTurn {
  return { narrowing: without(narrowing, exclusion.id), step: { kind: 'restore', exclusion, reason } }
}

export function without(narrowing: Narrowing, id: string): Narrowing {
  return { ...narrowing, excluded: narrowing.excluded.filter((one) => one.id !== id) }
}

/**
 * The part of alpha that the evidence may use. A harmless rollout has further evidence only after a false exclusion, so
 * each restart may use all of alpha if the first evidence leaves out that small probability.
 */
export function alphaOf(
  { alpha, onSliceHarm }: { alpha: number; onSliceHarm?: string | undefined },
  { times }: Narrowing,
): number {
  return onSliceHarm === 'narrow' && times === 0 ? alpha * (1 - limits.level * limits.times) : alpha
}
