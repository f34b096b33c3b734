// When an alert fires and when it is over. Nothing to judge by is a state of its own and never counts as well.

export type AlertState = 'ok' | 'firing' | 'no-data'

export interface AlertStanding {
  state: AlertState
  /** Since when it is in this state, in milliseconds since 1970. */
  since: number
  /** Since when every look was past the threshold. */
  breachSince: number | null
  /** Since when there is nothing to judge by. */
  missingSince: number | null
  /** An incident goes on, also while there is nothing to judge by. */
  isOpen: boolean
  /** Somebody was told that there is nothing to judge by. */
  isLossTold: boolean
}

export type AlertReading = 'past' | 'within' | 'missing'
export type AlertNews = 'fire' | 'recover' | 'lose-data'

export interface AlertPolicy {
  /** How long it has to be past the threshold. */
  for: number
  whenNoData: 'tell' | 'quiet'
  /** How long there is nothing to judge by before anybody is told. */
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

/** What was going on goes on; what was only beginning begins anew. */
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
