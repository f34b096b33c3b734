// How a goal of an experiment is measured: a metric, or a funnel, over all time or within a window after the exposure.

import { isOncePerUnit, type JudgedMetric, type Method } from '../metric-method.ts'

/** Fixed at the start of an experiment. */
export interface JudgedGoal extends JudgedMetric {
  /** Milliseconds from a unit's first exposure in the experiment, inclusive; only what happens within counts. */
  window?: number | undefined
  /** The steps of a funnel, as in Explore: the goal is the share of units that complete it within the window. */
  steps?: string | undefined
}

export interface WindowedGoal extends JudgedGoal {
  window: number
}

export const isWindowed = (goal: JudgedGoal): goal is WindowedGoal => goal.window !== undefined

/** A unit enters once, when its window is over: its denominator has to be one. */
export const canHaveWindow = (method: Method) => isOncePerUnit(method)

/** The measure of a funnel: it has no roll-up. */
const funnelMeasure = 'funnel'

/** The share of units that complete a funnel, as a metric. */
export const funnelMethod: Method = { kind: 'share', measure: funnelMeasure, of: 'session' }
