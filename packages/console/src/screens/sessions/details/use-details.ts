import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type ReplayDetail, type ReplayRef, replayDetailsQuery } from '../../../api/replays.ts'
import type { SessionSearch } from '../sessions-search.ts'
import type { Moment } from '../timeline/moments.ts'
import { consoleEntries, type DetailEntry, networkEntries } from './detail-entries.ts'

export type DetailsState = Pick<UseQueryResult<ReplayDetail[]>, 'data' | 'error' | 'refetch'>

export interface RecordedDetails {
  /** Undefined: the session has no recording. */
  state: DetailsState | undefined
  console: readonly DetailEntry[]
  network: readonly DetailEntry[]
  /** Of the tab that is open. */
  open: readonly DetailEntry[]
}

interface DetailsSource {
  moments: readonly Moment[]
  sessionStart: number
  search: SessionSearch
}

/** Asked for when one of the lists is opened. */
export function useDetails(
  place: ReplayRef,
  { running, ...source }: DetailsSource & { running: boolean },
): RecordedDetails {
  const { tab } = source.search
  const isOpen = tab === 'console' || tab === 'network'
  const state = useQuery({ ...replayDetailsQuery(place, { running }), enabled: isOpen })
  return { ...useDetailEntries(state.data ?? none, source), state }
}

const none: readonly ReplayDetail[] = []

/** Without a recording: the events alone. */
export function useEventEntries(source: DetailsSource): RecordedDetails {
  return { ...useDetailEntries(none, source), state: undefined }
}

function useDetailEntries(
  details: readonly ReplayDetail[],
  { moments, sessionStart, search }: DetailsSource,
): Omit<RecordedDetails, 'state'> {
  const console = useMemo(
    () => consoleEntries(moments, details, sessionStart),
    [moments, details, sessionStart],
  )
  const network = useMemo(
    () => networkEntries(moments, details, sessionStart),
    [moments, details, sessionStart],
  )
  const open = search.tab === 'console' ? console : search.tab === 'network' ? network : []
  return { console, network, open }
}
