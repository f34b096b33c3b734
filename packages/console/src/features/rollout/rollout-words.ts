// A guarded rollout in words: its state, the reason, what follows, and what was decided.

import type { RolloutDecision, RolloutDetail, RolloutRow } from '../../api/rollouts.ts'

export const stateWords: Record<RolloutRow['state'], string> = {
  draft: 'Draft',
  running: 'Running',
  'holding-undecided': 'On hold, undecided',
  'holding-blind': 'On hold, no data',
  'holding-split-wrong': 'On hold, sample ratio mismatch',
  'holding-approval': 'Waiting for approval',
  paused: 'Paused',
  'rolled-back': 'Rolled back',
  completed: 'Passed',
  cancelled: 'Cancelled',
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
  'split-wrong': 'sample ratio mismatch of exposures',
  'people-missing': 'users of one arm send no telemetry',
  'not-regressed': 'the stage reached its duration and users, and no metric regressed',
  'time-box-over': 'the stage ended without a decision',
  'metric-gone': 'a metric can no longer be measured',
  'telemetry-silent': 'the flag is evaluated, but no telemetry arrives',
  'spool-behind': 'telemetry is more than a minute behind',
  'engine-down': 'the telemetry store is unavailable',
  'approval-needed': 'the next stage needs approval by another member',
  recovered: 'the cause of the hold is resolved',
  'flag-off': 'the flag was turned off',
  'flag-archived': 'the flag was archived',
  'policy-revert': 'undecided at the end of the stage: rolled back, as planned',
  'policy-ship': 'undecided at the end of the stage: continued, as planned',
  'budget-spent': 'the budget of harm of this month is spent',
  'slice-suspected': 'harm in one slice of users is likely',
  'slice-harmed': 'a metric is past its limit in this slice, and more than elsewhere',
  'slice-still-harmed': 'the probe is still harmed: excluded for longer',
  'slice-excluded': 'a slice of users is excluded',
  'probe-healthy': 'its probe is healthy',
  'probe-period': 'the probe is judged again each day',
  'exclusion-expired': 'the exclusion expired',
  'slice-too-large': 'the harmed slice is too large to exclude',
  'narrowed-too-often': 'too many exclusions',
  'exclusion-ineffective': 'the exclusion did not reach its users',
  'a-person': 'manual decision',
}

export function reasonText(reason: string): string {
  return reasons[reason] ?? reason.replaceAll('-', ' ')
}

const holdLines: Partial<Record<RolloutRow['state'], string>> = {
  'holding-undecided': 'It stays at this percentage until the guard or a member decides.',
  'holding-blind': 'It continues automatically when both arms have telemetry again.',
  'holding-split-wrong': 'Its results are not reliable. Restart evidence, or roll back.',
  'holding-approval': 'It stays at this percentage until then.',
  paused: 'The guard still rolls back.',
}

const missingLine =
  'Intervals are wider to allow for the missing users. Continue at your own risk, restart evidence, or roll back.'

/** The reason for its state, and what happens next. */
export function holdText({ state, why }: Pick<RolloutRow, 'state' | 'why'>): string | undefined {
  const isMissing = state === 'holding-split-wrong' && why === 'people-missing'
  const line = isMissing ? missingLine : holdLines[state]
  if (line === undefined) return undefined
  return why === null ? line : `Because ${reasonText(why)}. ${line}`
}

type Planned = RolloutDetail['metrics'][number]

const regressionWords: Record<Planned['onRegression'], string> = {
  'roll-back': 'the rollout is rolled back within 10 s',
  hold: 'the rollout is put on hold',
  notify: 'a notification is sent, and it continues',
}

/** The guard's rollback rule for its strictest metric. */
export function promiseText(metrics: readonly Pick<Planned, 'onRegression'>[]): string {
  const all = [...new Set(metrics.map(({ onRegression }) => onRegression))]
  const [only] = all
  if (only === undefined) return ''
  const then = all.length === 1 ? only : 'roll-back'
  const of = all.length === 1 ? 'a metric' : 'a metric that may roll back'
  return `If the whole interval of ${of} exceeds its limit, ${regressionWords[then]}.`
}

const actionWords: Record<string, string> = {
  start: 'Started',
  advance: 'Stage passed',
  complete: 'Passed: the last stage is complete',
  'roll-back': 'Rolled back',
  hold: 'On hold',
  'go-on': 'Resumed',
  notify: 'Regressed, notified',
  pause: 'Paused',
  resume: 'Resumed',
  cancel: 'Cancelled',
  'begin-anew': 'Evidence restarted',
  narrow: 'Slice excluded',
  restore: 'Slice let back',
  probe: 'New period of the probe',
}

/** `Stage passed, 10% → 25%`, `Rolled back: INP p75`. */
export function decisionText(
  { action, stage, metric, slice }: RolloutDecision,
  { stages, nameOf }: { stages: RolloutRow['stages']; nameOf: (metric: string) => string },
): string {
  const word = actionWords[action] ?? action
  const [from, to] = [stages[stage]?.weight, stages[stage + 1]?.weight]
  if (action === 'start') return `${word} with ${percent(stages[0]?.weight ?? 0)}`
  if (action === 'advance' && from !== undefined && to !== undefined)
    return `${word}, ${percent(from)} → ${percent(to)}`
  const about = [slice && sliceText(slice), metric === null ? null : nameOf(metric)].filter(Boolean)
  return about.length === 0 ? word : `${word}: ${about.join(', ')}`
}

const sliceNames: Record<string, string> = {
  'request.browser': 'Browser',
  'request.device': 'Device',
  'request.country': 'Country',
  version: 'Version',
}

/** `Browser Safari`, `plan free`. */
export function sliceText({ attribute, value }: { attribute: string; value: string }): string {
  return `${sliceNames[attribute] ?? attribute} ${value}`
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
