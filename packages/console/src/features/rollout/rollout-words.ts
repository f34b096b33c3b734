// A guarded rollout in words: where it stands, why, what comes next, and what was decided.

import type { RolloutDecision, RolloutDetail, RolloutRow } from '../../api/rollouts.ts'

export const stateWords: Record<RolloutRow['state'], string> = {
  draft: 'Draft',
  running: 'Running',
  'holding-undecided': 'Holding, undecided',
  'holding-blind': 'Holding, blind',
  'holding-split-wrong': 'Holding, split looks wrong',
  'holding-approval': 'Waiting for approval',
  paused: 'Paused',
  'rolled-back': 'Rolled back',
  completed: 'Passed',
  cancelled: 'Called off',
}

export type RolloutTone = 'ok' | 'warn' | 'bad' | 'idle' | 'live'

export function toneOf(state: RolloutRow['state']): RolloutTone {
  if (state === 'running') return 'live'
  if (state === 'completed') return 'ok'
  if (state === 'rolled-back') return 'bad'
  return state === 'draft' || state === 'cancelled' || state === 'paused' ? 'idle' : 'warn'
}

const reasons: Record<string, string> = {
  started: 'it was started',
  healthy: 'every required metric is healthy',
  regressed: 'a metric regressed',
  'split-wrong': 'the sides have not grown as they were divided',
  'people-missing': 'people of one side are never heard of',
  'not-regressed': 'time and users of the stage are reached, and no metric regressed',
  'time-box-over': 'the time of the stage is over without a decision',
  'metric-gone': 'a metric can no longer be measured',
  'telemetry-silent': 'applications still ask for the flag, and no telemetry comes back',
  'spool-behind': 'telemetry is more than a minute behind',
  'engine-down': 'the telemetry store is away',
  'approval-needed': 'the next stage needs somebody other than who started it',
  recovered: 'what stopped it is over',
  'flag-off': 'the flag was turned off',
  'flag-archived': 'the flag was archived',
  'policy-revert': 'undecided at the end of its time, it goes back as agreed',
  'policy-ship': 'undecided at the end of its time, it goes on as agreed',
  'a-person': 'somebody decided so',
}

export function reasonText(reason: string): string {
  return reasons[reason] ?? reason.replaceAll('-', ' ')
}

const holdLines: Partial<Record<RolloutRow['state'], string>> = {
  'holding-undecided': 'It stays at this share until it is decided, or somebody goes on or back.',
  'holding-blind': 'It goes on by itself when both sides are heard from again.',
  'holding-split-wrong': 'Its numbers cannot be believed. Begin evidence anew, or roll back.',
  'holding-approval': 'It stays at this share until then.',
  paused: 'The guard still looks, and still rolls back.',
}

const missingLine =
  'Intervals are widened by what the missing users could hide. Continue at your own risk, restart evidence, or roll back.'

/** Why it stands where it stands, and what happens then. */
export function holdText({ state, why }: Pick<RolloutRow, 'state' | 'why'>): string | undefined {
  const isMissing = state === 'holding-split-wrong' && why === 'people-missing'
  const line = isMissing ? missingLine : holdLines[state]
  if (line === undefined) return undefined
  return why === null ? line : `Because ${reasonText(why)}. ${line}`
}

type Planned = RolloutDetail['metrics'][number]

const regressionWords: Record<Planned['onRegression'], (treatment: string) => string> = {
  'roll-back': (treatment) => `${treatment} goes to 0% for everyone within 10 s`,
  hold: () => 'the rollout holds',
  notify: () => 'somebody is told, and it goes on',
}

/** What the guard has promised to do, about its strictest metric. */
export function promiseText({ treatment, metrics }: Pick<RolloutDetail, 'treatment' | 'metrics'>): string {
  const all = [...new Set(metrics.map(({ onRegression }) => onRegression))]
  const [only] = all
  if (only === undefined) return ''
  const then = all.length === 1 ? only : 'roll-back'
  const of = all.length === 1 ? 'a metric' : 'a metric that may roll back'
  return `If the whole interval of ${of} passes its limit, ${regressionWords[then](treatment)}.`
}

const actionWords: Record<string, string> = {
  start: 'Started',
  advance: 'Stage passed',
  complete: 'Passed: everybody who is to have it has it',
  'roll-back': 'Rolled back',
  hold: 'Holds',
  'go-on': 'Goes on',
  notify: 'Regressed, as told',
  pause: 'Paused',
  resume: 'Resumed',
  cancel: 'Called off',
  'begin-anew': 'Evidence begins anew',
}

/** `Stage passed, 10% → 25%`, `Rolled back: INP p75`. */
export function decisionText(
  { action, stage, metric }: RolloutDecision,
  { stages, nameOf }: { stages: RolloutRow['stages']; nameOf: (metric: string) => string },
): string {
  const word = actionWords[action] ?? action
  const [from, to] = [stages[stage]?.weight, stages[stage + 1]?.weight]
  if (action === 'start') return `${word} with ${percent(stages[0]?.weight ?? 0)}`
  if (action === 'advance' && from !== undefined && to !== undefined)
    return `${word}, ${percent(from)} → ${percent(to)}`
  return metric === null ? word : `${word}: ${nameOf(metric)}`
}

export function percent(weight: number): string {
  return `${weight / 1_000}%`
}

const minute = 60_000
const hour = 60 * minute

/** `30 min`, `24 h`, `3 days`. */
export function spanText(ms: number): string {
  if (ms < hour) return `${Math.round(ms / minute)}\u00a0min`
  if (ms < 72 * hour) return `${Number((ms / hour).toFixed(1))}\u00a0h`
  return `${Number((ms / (24 * hour)).toFixed(1))}\u00a0days`
}
