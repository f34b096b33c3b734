import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { sessionProfilesQuery } from '../../../api/profiles.ts'
import type { Replay } from '../../../api/replays.ts'
import type { Session, Timeline } from '../../../api/sessions.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { Skeleton } from '../../../ui/states.tsx'
import type { Playback } from '../replay/playback.ts'
import { PlayedSession } from '../replay/played-session.tsx'
import { useIsShown, usePlayer } from '../replay/use-player.ts'
import { kindsOf, type SessionSearch } from '../sessions-search.ts'
import { listedAtFirst } from './kind-filter.tsx'
import { ListedSession } from './listed-session.tsx'
import { toMoments } from './moments.ts'
import { readInstant } from './playhead.ts'
import { profiledSpans } from './profiled-spans.ts'

type SessionTimelineProps = {
  session: Session
  timeline: UseQueryResult<Timeline>
  replay: UseQueryResult<Replay>
  search: SessionSearch
  onSearch: (change: SessionSearch) => void
  /** There is a recording, rendered here. */
  onPlayback: (playback: Playback | undefined) => void
  /** The first picture is there, or will never be. */
  onShown: (session: string) => void
}

/** The timeline of a session: as a replay if it was recorded, and always as events. */
export function SessionTimeline(props: SessionTimelineProps) {
  const { session, timeline, replay, search, onSearch, onPlayback, onShown } = props
  const { project, environment } = useScope()
  const { id, startedAt } = session
  const scope = { project, env: environment.key }
  const place = { ...scope, session: id }
  const { at } = readInstant(useLocation({ select: ({ hash }) => hash }))
  const startAt = at === undefined ? undefined : Date.parse(startedAt) + at
  const player = usePlayer(place, replay.data, startAt)
  const isShown = useIsShown(replay, player)
  useEffect(() => {
    if (isShown) onShown(id)
  }, [isShown, onShown, id])

  const profiles = useQuery({ ...sessionProfilesQuery(scope, session), enabled: isShown })
  const events = timeline.data?.events
  const moments = useMemo(() => toMoments(events ?? [], startedAt), [events, startedAt])
  const listed = useMemo(() => {
    const kinds = kindsOf({ kinds: search.kinds }) ?? listedAtFirst
    return moments.filter(({ kind }) => kinds.includes(kind))
  }, [moments, search.kinds])
  const spans = useMemo(() => profiledSpans(profiles.data ?? [], session), [profiles.data, session])
  const shared = { session, timeline, moments, listed, profiles: spans, search, onSearch }

  if (replay.data && player) {
    return (
      <PlayedSession {...shared} place={place} player={player} onPlayback={onPlayback} replay={replay.data} />
    )
  }
  // A recording replaces all of the list, which would be rendered in vain.
  if (!replay.isError) return <Skeleton rows={10} label="Loading the recording" />
  return <ListedSession {...shared} replay={replay} />
}
