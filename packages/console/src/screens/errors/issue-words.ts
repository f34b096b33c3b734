import type { TelltaleState } from '@telltale/core/states/telltale'
import type { Issue, Lift } from '../../api/issues.ts'

/** Labels of an issue: its state, and whether it is new. */
type IssueWord = 'new' | 'back' | 'known' | 'resolved' | 'ignored'

interface Look {
  readonly label: string
  /** The shape; tones are status tones. */
  readonly mark: TelltaleState
  readonly tone: 'bad' | 'warn' | 'ok' | 'idle'
}

export const issueLooks = {
  new: { label: 'New', mark: 'lifted', tone: 'warn' },
  back: { label: 'Regressed', mark: 'fluttering', tone: 'bad' },
  known: { label: 'Known', mark: 'slack', tone: 'idle' },
  resolved: { label: 'Resolved', mark: 'streaming', tone: 'ok' },
  ignored: { label: 'Ignored', mark: 'none', tone: 'idle' },
} as const satisfies Record<IssueWord, Look>

/** How long an undecided issue counts as new. */
const newFor = 24 * 3_600_000

export function issueWordOf({ state, firstSeenAt }: Pick<Issue, 'state' | 'firstSeenAt'>, now: number) {
  if (state === 'regressed') return 'back'
  if (state !== 'unresolved') return state
  return now - Date.parse(firstSeenAt) < newFor ? 'new' : 'known'
}

/** `TypeError: r.map is not a function`, in one line. */
export function titleOf({ type, message }: Pick<Issue, 'type' | 'message'>): string {
  const line = message.replace(/\s+/g, ' ').trim()
  return [type, line].filter((part) => part !== '').join(': ') || 'Error without a message'
}

/** `checkout-v2 = one-page`, or two of them */
export const variationText = (lift: Pick<Lift, 'flag' | 'variation' | 'and'>) =>
  [lift, ...(lift.and ? [lift.and] : [])].map(({ flag, variation }) => `${flag} = ${variation}`).join(' and ')

/** `31 of 220 users, otherwise 6 of 221` */
export function shareWords({ hits, users, otherHits, otherUsers }: Lift): string {
  const text = (count: number) => count.toLocaleString('en')
  return `${text(hits)} of ${text(users)} users, otherwise ${text(otherHits)} of ${text(otherUsers)}`
}

/** Function and file, without the part common to every file of the site. */
export const culpritText = (culprit: string) => culprit.replace(/(^| in )[a-z]+:\/\/[^/]+(?=\/)/, '$1')
