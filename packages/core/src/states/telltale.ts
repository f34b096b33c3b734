// The telltale's question: does this flag harm users more than the accepted limit? Its state is a complete, exclusive
// rule over one metric; with several metrics the worst decides. Everything is on the harm axis, where positive is
// worse for users whatever the metric's own direction.

export type TelltaleState =
  | 'none'
  | 'down'
  | 'waiting'
  | 'fouled'
  | 'fluttering'
  | 'streaming'
  | 'lifted'
  | 'slack'

export interface Evidence {
  /** Relative changes on the harm axis. */
  readonly est: number
  readonly lo: number
  readonly hi: number
  /** The accepted harm; above zero. */
  readonly limit: number
  /** Takes precedence over the numbers. */
  readonly override?: TelltaleOverride | undefined
}

/** `fluttering` is an earlier regression: it persists whatever the numbers do later. */
export type TelltaleOverride = 'none' | 'waiting' | 'fouled' | 'down' | 'fluttering'

export const telltaleLabels: Record<TelltaleState, string> = {
  none: 'No guard',
  down: 'Rolled back',
  waiting: 'Waiting for data',
  fouled: 'Sample ratio mismatch',
  fluttering: 'Regressed',
  streaming: 'Healthy',
  lifted: 'Watching',
  slack: 'Inconclusive',
}

export const telltaleTones = {
  none: 'idle',
  down: 'bad',
  waiting: 'idle',
  fouled: 'warn',
  fluttering: 'bad',
  streaming: 'ok',
  lifted: 'warn',
  slack: 'idle',
} as const satisfies Record<TelltaleState, 'idle' | 'ok' | 'warn' | 'bad'>

/** Invalid numbers count as waiting. */
export function telltaleStateOf({ est, lo, hi, limit, override }: Evidence): TelltaleState {
  if (override) return override
  if (Number.isNaN(est) || Number.isNaN(lo) || Number.isNaN(hi) || !(limit > 0)) return 'waiting'
  if (lo >= limit) return 'fluttering'
  if (hi < limit) return 'streaming'
  if (lo > 0 || est >= limit / 2) return 'lifted'
  return 'slack'
}

/** What the rollout of a flag and the history of one of its metrics determine. */
export interface TelltaleFacts {
  isGuarded: boolean
  wasRolledBack: boolean
  /** Fewer units than a verdict needs, or no estimate yet. */
  isWaiting: boolean
  isSplitWrong: boolean
  hasRegressed: boolean
}

/** The first match takes precedence over the numbers, in order of urgency. */
export function telltaleOverrideOf(facts: TelltaleFacts): TelltaleOverride | undefined {
  if (!facts.isGuarded) return 'none'
  if (facts.wasRolledBack) return 'down'
  // A verdict stays when data goes missing later.
  if (facts.isWaiting && !facts.hasRegressed && !facts.isSplitWrong) return 'waiting'
  if (facts.isSplitWrong) return 'fouled'
  return facts.hasRegressed ? 'fluttering' : undefined
}

/** Qualifies Healthy: better than control, or a small cost within the limit. */
export function healthyNote(evidence: Evidence): string | undefined {
  if (telltaleStateOf(evidence) !== 'streaming') return undefined
  if (evidence.hi < 0) return 'better'
  return evidence.lo > 0 ? 'small cost, within the limit' : undefined
}

const rank: readonly TelltaleState[] = [
  'down',
  'fluttering',
  'fouled',
  'lifted',
  'slack',
  'streaming',
  'waiting',
  'none',
]

/** Worst first: by state, then by how close the upper end is to the limit. */
export function compareEvidence(a: Evidence, b: Evidence): number {
  const byState = rank.indexOf(telltaleStateOf(a)) - rank.indexOf(telltaleStateOf(b))
  const [reachA, reachB] = [a.hi / a.limit, b.hi / b.limit]
  // Two infinite ends are equally far; their difference would be NaN.
  return byState || (reachA === reachB ? 0 : reachB - reachA) || 0
}
