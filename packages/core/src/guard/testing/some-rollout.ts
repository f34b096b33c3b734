// A rollout for tests: stages of 1 %, 25 % and everyone, two metrics, and looks with given findings.
import type { Finding } from '../judge-metric.ts'
import type { Look, LookEvidence, RolloutPlan, Stage } from '../rollout.ts'

export const minute = 60_000
export const hour = 60 * minute
export const start = Date.UTC(2026, 10, 21, 12)

const stage = (weight: number, more: Partial<Stage> = {}): Stage => ({
  weight,
  minDuration: 30 * minute,
  minUnits: 100,
  needsApproval: false,
  ...more,
})

export const plan: RolloutPlan = {
  stages: [stage(1_000), stage(25_000), stage(100_000)],
  metrics: [
    { metric: 'lcp', role: 'required', onRegression: 'roll-back' },
    { metric: 'errors', role: 'required', onRegression: 'roll-back' },
    { metric: 'orders', role: 'watched', onRegression: 'hold' },
    { metric: 'clicks', role: 'watched', onRegression: 'notify' },
  ],
  alpha: 0.05,
  timeBox: 48 * hour,
  whenUndecided: 'hold',
  startedBy: 'ada',
}

export const gated: RolloutPlan = {
  ...plan,
  stages: [stage(1_000), stage(25_000, { needsApproval: true }), stage(100_000)],
}

export function finding(metric: string, state: Finding['state']): Finding {
  return { metric, state, units: { treatment: 500, control: 50_000 }, limit: 0.05, margin: 0.2 }
}

export type States = Partial<Record<string, Finding['state']>>

export function evidence(states: States = {}, more: Partial<LookEvidence> = {}): LookEvidence {
  return {
    units: { treatment: 500, control: 50_000 },
    split: { exposures: [], heard: [] },
    findings: plan.metrics.map(({ metric }) => finding(metric, states[metric] ?? 'watching')),
    ...more,
  }
}

/** A look with sound telemetry. */
export function look(now: number, states: States = {}, more: Partial<Look> = {}): Look {
  return {
    now,
    flag: 'on',
    signal: {
      spoolLag: 0,
      evaluations: 500,
      heard: { treatment: 40, control: 900 },
      expected: { treatment: 50, control: 1_000 },
      isFresh: true,
    },
    evidence: evidence(states),
    ...more,
  }
}

export const wellThen: States = { lcp: 'healthy', errors: 'healthy' }

/** So uneven that the assignment cannot have been fair. */
export const lopsided = [{ treatment: 4_700, control: 5_300, share: 0.5 }]
