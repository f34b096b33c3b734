// The steps that two sessions have in common, each with its time in both: pages that were opened and what was clicked.

import { alignSteps } from '@telltale/core/telemetry/similar-sessions'
import type { Moment } from '../timeline/moments.ts'

export interface SharedStep {
  readonly title: string
  readonly kind: 'page' | 'action'
  /** Milliseconds since each session began. */
  readonly left: number
  readonly right: number
}

/** Longer lists are compared by their beginning: a table of all pairs is as large as both lengths multiplied. */
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

/** The step that both are at, or have passed last: -1 before the first. */
export function stepAt(steps: readonly SharedStep[], side: 'left' | 'right', at: number): number {
  return steps.findLastIndex((step) => step[side] <= at)
}
