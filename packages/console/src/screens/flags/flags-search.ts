import type { FlagRow } from '../../api/flags.ts'

export type Lifecycle = FlagRow['lifecycle']['state']

/** What of the list stands in the address. */
export interface FlagsSearch {
  q?: string | undefined
  /** Where flags stand in their life; `archived` shows those that were put away. */
  state?: Lifecycle | undefined
  /** The dialog for a new one. */
  new?: true | undefined
}

export const lifecycleWords: Record<Lifecycle, string> = {
  new: 'New',
  live: 'Live',
  'rolled-out': 'Rolled out',
  stale: 'Stale',
  archived: 'Archived',
}

export const lifecycles: readonly Lifecycle[] = ['new', 'live', 'rolled-out', 'stale', 'archived']
