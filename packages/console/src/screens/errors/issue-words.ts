import type { TelltaleState } from '@telltale/core/states/telltale'
import type { Issue, Lift } from '../../api/issues.ts'

/** How an issue is called: what people see of its state, and whether it is new to them. */
export type IssueWord = 'new' | 'back' | 'known' | 'resolved' | 'ignored'

interface Look {
  readonly label: string
  /** The shape; tones are of status. */
  readonly mark: TelltaleState
  readonly tone: 'bad' | 'warn' | 'ok' | 'idle'
}

export const issueLooks = {
  new: { label: 'New', mark: 'lifted', tone: 'warn' },
  back: { label: 'Back again', mark: 'fluttering', tone: 'bad' },
  known: { label: 'Known', mark: 'slack', tone: 'idle' },
  resolved: { label: 'Resolved', mark: 'streaming', tone: 'ok' },
  ignored: { label: 'Ignored', mark: 'none', tone: 'idle' },
} as const satisfies Record<IssueWord, Look>

/** So long an issue that nobody decided about is called new. */
export const newFor = 24 * 3_600_000

export function issueWordOf({ state, firstSeenAt }: Pick<Issue, 'state' | 'firstSeenAt'>, now: number) {
  if (state === 'regressed') return 'back'
  if (state !== 'unresolved') return state
  return now - Date.parse(firstSeenAt) < newFor ? 'new' : 'known'
}

/** `TypeError: r.map is not a function`, in one line. */
export function titleOf({ type, message }: Pick<Issue, 'type' | 'message'>): string {
  const line = message.replace(/\s+/g, ' ').trim()
  return [type, line].filter((part) => part !== '').join(': ') || 'An error without a message'
}

/** `checkout-v2 = one-page` */
export const variationText = ({ flag, variation }: Pick<Lift, 'flag' | 'variation'>) =>
  `${flag} = ${variation}`

/** More often without a doubt: the whole interval is above once. */
export const standsOut = ({ lower }: Lift) => lower > 1

/** Beyond these nobody can tell how many times. */
const tellable = 50

/** `5.2`; large ones are not that exact, and what is above 1 stays so. */
function timesText(ratio: number): string {
  if (ratio >= 9.95) return ratio.toFixed(0)
  return ratio > 1 && ratio < 1.05 ? ratio.toFixed(2) : ratio.toFixed(1)
}

/** `5.2 times as often`, or `at least 4.0 times` where there is no telling how many times: for where there is little room. */
export function timesOf({ ratio, lower, upper }: Lift): string {
  return upper > tellable ? `at least ${timesText(lower)} times` : `${timesText(ratio)} times as often`
}

/** `5.2 times as often`, `at least 4.0 times as often` */
export function oftenText(lift: Lift): string {
  return lift.upper > tellable ? `${timesOf(lift)} as often` : timesOf(lift)
}

/** `2.1 to 13 times` */
export function betweenText({ lower, upper }: Lift): string {
  return upper > tellable
    ? `${timesText(lower)} times or more`
    : `${timesText(lower)} to ${timesText(upper)} times`
}

/** `31 of 220 sessions, otherwise 6 of 221` */
export function shareWords({ hits, sessions, otherHits, otherSessions }: Lift): string {
  const text = (count: number) => count.toLocaleString('en')
  return `${text(hits)} of ${text(sessions)} sessions, otherwise ${text(otherHits)} of ${text(otherSessions)}`
}

/** Function and file, without what is the same for every file of the site. */
export const culpritText = (culprit: string) => culprit.replace(/(^| in )[a-z]+:\/\/[^/]+(?=\/)/, '$1')
