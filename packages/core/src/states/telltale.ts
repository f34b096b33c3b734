// The telltale's question: is this flag hurting people more than we said we would accept? Its state is a complete, exclusive
// rule over one metric; of several metrics the worst speaks. Everything is on the harm axis, where positive is worse for
// people whatever the metric's own direction.

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
  /** What the team accepts; above zero. */
  readonly limit: number
  /** What outranks the numbers. */
  readonly override?: TelltaleOverride | undefined
}

/** `fluttering` is a regression that was found before: it stays, whatever the numbers do later. */
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

/** Numbers that are none are no news. */
export function telltaleStateOf({ est, lo, hi, limit, override }: Evidence): TelltaleState {
  if (override) return override
  if (Number.isNaN(est) || Number.isNaN(lo) || Number.isNaN(hi) || !(limit > 0)) return 'waiting'
  if (lo >= limit) return 'fluttering'
  if (hi < limit) return 'streaming'
  if (lo > 0 || est >= limit / 2) return 'lifted'
  return 'slack'
}

/** What a flag's rollout and the history of its metrics say about one of them. */
export interface TelltaleFacts {
  isGuarded: boolean
  wasRolledBack: boolean
  /** Fewer units than a verdict needs, or no number yet. */
  isWaiting: boolean
  isSplitWrong: boolean
  hasRegressed: boolean
}

/** The first that holds outranks the numbers, in the order in which people have to know. */
export function telltaleOverrideOf(facts: TelltaleFacts): TelltaleOverride | undefined {
  if (!facts.isGuarded) return 'none'
  if (facts.wasRolledBack) return 'down'
  // A verdict that was reached is not taken back by data that are missing later.
  if (facts.isWaiting && !facts.hasRegressed && !facts.isSplitWrong) return 'waiting'
  if (facts.isSplitWrong) return 'fouled'
  return facts.hasRegressed ? 'fluttering' : undefined
}

/** What Healthy means more exactly, where it does. */
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

/** The worst comes first: by state, then by how far the upper end reaches towards the limit. */
export function compareEvidence(a: Evidence, b: Evidence): number {
  const byState = rank.indexOf(telltaleStateOf(a)) - rank.indexOf(telltaleStateOf(b))
  const [reachA, reachB] = [a.hi / a.limit, b.hi / b.limit]
  // Two infinite ends are equally far.
  return byState || (reachA === reachB ? 0 : reachB - reachA) || 0
}
