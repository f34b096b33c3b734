// The common steps of two sessions with their times in both: page views and clicks.

import { alignSteps } from '@telltale/core/telemetry/similar-sessions'
import type { Moment } from '../timeline/moments.ts'

export interface SharedStep {
  readonly title: string
  readonly kind: 'page' | 'action'
  /** Milliseconds since the start of each session. */
  readonly left: number
  readonly right: number
}

/** Longer lists are truncated: the comparison needs a table of both lengths multiplied. */
const stepsAtMost = 1_500

export function sharedSteps(left: readonly Moment[], right: readonly Moment[]): SharedStep[] {
  const [first, second] = [stepsOf(left), stepsOf(right)]
  return alignSteps(first.map(keyOf), second.map(keyOf)).flatMap(([one, other]): SharedStep[] => {
    const [mine, theirs] = [first[one], second[other]]
    if (mine === undefined || theirs === undefined) return []
    const kind = mine.kind === 'page' ? 'page' : 'action'
    return [{ title: mine.title, kind, left: mine.at, right: theirs.at }]
  })
}

const stepsOf = (moments: readonly Moment[]) =>
  moments.filter(({ kind }) => kind === 'page' || kind === 'action').slice(0, stepsAtMost)

const keyOf = ({ kind, title }: Moment) => `${kind} ${title}`

/** The current or last shared step of both: −1 before the first. */
export function stepAt(steps: readonly SharedStep[], side: 'left' | 'right', at: number): number {
  return steps.findLastIndex((step) => step[side] <= at)
}
