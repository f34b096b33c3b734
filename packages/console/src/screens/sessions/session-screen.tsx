import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { use, useState } from 'react'
import { toProblem } from '../../api/problem.ts'
import { replayQuery } from '../../api/replays.ts'
import { sessionQuery, timelineQuery } from '../../api/sessions.ts'
import { CommentsPanel } from '../../features/comments/comments-panel.tsx'
import { AddToPlaylist } from '../../features/playlists/add-to-playlist.tsx'
import { ShareButton } from '../../features/sharing/share-button.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { Skeleton, Trouble } from '../../ui/states.tsx'
import { TimeZone, useNow } from '../../ui/text/time.tsx'
import { timeText } from '../../ui/text/time-text.ts'
import { NoSession } from './no-session.tsx'
import { PlaylistCrumb, PlaylistNeighbours } from './playlist-place.tsx'
import type { Playback } from './replay/playback.ts'
import { SessionAttributions } from './session-attributions.tsx'
import { toAdded, whoText } from './session-words.ts'
import type { ListSearch, SessionSearch } from './sessions-search.ts'
import { CopyMoment } from './timeline/copy-moment.tsx'
import { NeighbourButtons } from './timeline/neighbour-buttons.tsx'
import { SessionTimeline } from './timeline/session-timeline.tsx'

export function SessionScreen() {
  const { project, environment } = useScope()
  const { session: id } = useParams({ from: '/p/$project/sessions/$session' })
  const search = useSearch({ from: '/p/$project/sessions/$session' })
  const navigate = useNavigate({ from: '/p/$project/sessions/$session' })
  const timeZone = use(TimeZone)
  const now = useNow()
  const scope = { project, env: environment.key }
  const found = useQuery(sessionQuery(scope, id))
  const running = found.data?.running ?? false
  // At once, because a recording is first seen when all of them are there.
  const replay = useQuery(replayQuery({ ...scope, session: id }, { running }))
  const timeline = useQuery(timelineQuery(scope, { session: id, running }))
  const [playback, setPlayback] = useState<Playback>()
  const [shown, setShown] = useState<string>()
  const isShown = shown === id || found.isError
  const list: ListSearch = { q: search.q, seq: search.seq, sort: search.sort }
  const isLost =
    found.error !== null && ['not-found', 'invalid-request'].includes(toProblem(found.error).code)
  const title = found.data
    ? `${whoText(found.data)}, ${timeText(Date.parse(found.data.startedAt), now, timeZone)}`
    : 'Session'
  const set = (change: SessionSearch) =>
    void navigate({ search: (before) => ({ ...before, ...change }), hash: true, resetScroll: false })

  return (
    <Screen
      title={title}
      scope="none"
      crumbs={
        search.playlist ? (
          <PlaylistCrumb playlist={search.playlist} />
        ) : (
          <Link to="/p/$project/sessions" params={{ project }} search={list} className="hover:text-text">
            Sessions
          </Link>
        )
      }
      actions={
        <>
          {search.playlist ? (
            <PlaylistNeighbours id={id} playlist={search.playlist} />
          ) : (
            <NeighbourButtons id={id} list={list} isEnabled={isShown} />
          )}
          {found.data && <CopyMoment playback={playback} />}
          {found.data && <AddToPlaylist session={toAdded(found.data)} />}
          {found.data && <ShareButton on={{ kind: 'session', target: id, env: environment.key }} />}
        </>
      }
    >
      {isLost && <NoSession id={id} />}
      {found.error && !isLost && !found.data && (
        <Trouble error={found.error} onRetry={() => void found.refetch()} />
      )}
      {!found.data && !found.error && <Skeleton rows={10} label="Loading the session" />}
      {found.data && (
        <SessionTimeline
          key={id}
          session={found.data}
          timeline={timeline}
          replay={replay}
          search={search}
          onSearch={set}
          onPlayback={setPlayback}
          onShown={setShown}
        />
      )}
      {found.data && (
        <div className="mt-16 grid gap-16">
          <SessionAttributions session={found.data} />
          {isShown && <CommentsPanel on={{ kind: 'session', subject: id, env: environment.key }} />}
        </div>
      )}
    </Screen>
  )
}
