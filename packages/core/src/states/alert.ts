// When an alert fires and recovers. Missing data is a separate state and never counts as healthy.

export type AlertState = 'ok' | 'firing' | 'no-data'

export interface AlertStanding {
  state: AlertState
  /** Start of the current state, in milliseconds since 1970. */
  since: number
  /** Start of the uninterrupted breach of the threshold. */
  breachSince: number | null
  /** When data went missing. */
  missingSince: number | null
  /** An incident is open; it stays open while data is missing. */
  isOpen: boolean
  /** A notification about the missing data was sent. */
  isLossTold: boolean
}

export type AlertReading = 'past' | 'within' | 'missing'
export type AlertNews = 'fire' | 'recover' | 'lose-data'

export interface AlertPolicy {
  /** How long the threshold has to be exceeded. */
  for: number
  whenNoData: 'tell' | 'quiet'
  /** How long data has to be missing before a notification is sent. */
  noDataAfter: number
}

export const newAlert = (now: number): AlertStanding => ({
  state: 'no-data',
  since: now,
  breachSince: null,
  missingSince: null,
  isOpen: false,
  isLossTold: false,
})

export function alertAfter(
  before: AlertStanding,
  reading: AlertReading,
  { policy, now }: { policy: AlertPolicy; now: number },
): { standing: AlertStanding; news: AlertNews | undefined } {
  if (reading === 'missing') return afterNothing(before, policy, now)

  const breachSince = reading === 'past' ? (before.breachSince ?? now) : null
  const isLong = breachSince !== null && now - breachSince >= policy.for
  const isOpen = reading === 'past' && (before.isOpen || isLong)
  const state = isOpen ? 'firing' : 'ok'
  const standing = {
    state,
    since: before.state === state ? before.since : now,
    breachSince,
    missingSince: null,
    isOpen,
    isLossTold: false,
  } as const
  if (isOpen && !before.isOpen) return { standing, news: 'fire' }
  const isOver = (before.isOpen || before.isLossTold) && !isOpen
  return { standing, news: isOver ? 'recover' : undefined }
}

/** An open incident stays open; a breach that had not fired yet starts over. */
function afterNothing(before: AlertStanding, policy: AlertPolicy, now: number) {
  const missingSince = before.missingSince ?? now
  const isToTell =
    policy.whenNoData === 'tell' && !before.isLossTold && now - missingSince >= policy.noDataAfter
  const standing: AlertStanding = {
    ...before,
    state: 'no-data',
    since: before.state === 'no-data' ? before.since : now,
    breachSince: before.isOpen ? before.breachSince : null,
    missingSince,
    isLossTold: before.isLossTold || isToTell,
  }
  return { standing, news: isToTell ? ('lose-data' as const) : undefined }
}
