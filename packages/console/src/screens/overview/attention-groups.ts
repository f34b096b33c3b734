// What needs attention on Overview, in order: harm first, then decisions, then what can wait.
import type { InboxItem, WaitingRequest } from '../../api/inbox.ts'
import type { SeenIssue } from '../../api/overview.ts'
import type { FlagTelltale, GuardedTelltale } from '../../api/telltales.ts'
import { compareTelltales, needsAttention, stateOfTelltale } from '../../features/telltale/telltale-words.ts'

export interface AttentionVerdicts {
  /** By harm. */
  regressions: FlagTelltale[]
  undecided: FlagTelltale[]
  /** Rollouts that wait for the approval of a member. */
  approvals: GuardedTelltale[]
  /** Splits whose numbers cannot be trusted. */
  wrong: FlagTelltale[]
}

const undecidedStates: readonly GuardedTelltale['state'][] = ['holding-undecided', 'holding-blind']

export function groupVerdicts(telltales: readonly FlagTelltale[], now: number): AttentionVerdicts {
  const sorted = telltales.toSorted(compareTelltales)
  const approvals = sorted.flatMap((one) =>
    one.kind === 'guarded' && one.state === 'holding-approval' ? [one] : [],
  )
  const troubled = sorted.filter((one) => needsAttention(one, now))
  const is = (...states: string[]) => troubled.filter((one) => states.includes(stateOfTelltale(one)))
  // A rollback has already ended its harm.
  const regressions = [...is('fluttering'), ...is('down')]
  const wrong = is('fouled')
  const isListed = (one: FlagTelltale) => regressions.includes(one) || wrong.includes(one)
  return {
    regressions,
    undecided: sorted.filter(
      (one) =>
        !isListed(one) &&
        !approvals.some((other) => other === one) &&
        (troubled.includes(one) || (one.kind === 'guarded' && undecidedStates.includes(one.state))),
    ),
    approvals: approvals.filter((one) => !isListed(one)),
    wrong,
  }
}

/** Change requests of the environment that the account may approve. */
export function waitingIn(env: string, items: readonly InboxItem[]): WaitingRequest[] {
  return items.flatMap((item) =>
    item.kind === 'change-request' && item.state === 'open' && item.env === env ? [item] : [],
  )
}

export interface IssueCause {
  key: string
  /** Those with the most sessions first. */
  issues: [SeenIssue, ...SeenIssue[]]
}

/** Errors that one variation makes more common have one cause; others are grouped by where they are thrown. */
export function groupByCause(issues: readonly SeenIssue[]): IssueCause[] {
  const causes = new Map<string, IssueCause>()
  for (const issue of issues.toSorted((a, b) => b.sessions - a.sessions)) {
    const { lift, culprit, id } = issue
    const key =
      lift === null ? (culprit === '' ? `issue ${id}` : culprit) : `flag ${lift.flag} ${lift.variation}`
    const known = causes.get(key)
    if (known === undefined) causes.set(key, { key, issues: [issue] })
    else known.issues.push(issue)
  }
  return [...causes.values()]
}
