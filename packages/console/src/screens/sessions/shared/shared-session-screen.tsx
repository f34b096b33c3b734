import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { type Shared as SharedThing, sharedQuery, sharedTimelineQuery } from '../../../api/share-links.ts'
import { ClosedLink, SharedPage } from '../../../features/sharing/shared-page.tsx'
import { Page } from '../../../ui/page.tsx'
import { Skeleton } from '../../../ui/states.tsx'
import { useDocumentTitle } from '../../../ui/text/document-title.ts'
import { tokenOfHash } from '../../../ui/text/token-of-hash.ts'
import { usePlayer } from '../replay/use-player.ts'
import { kindsOf, type SessionSearch } from '../sessions-search.ts'
import { listedAtFirst } from '../timeline/kind-filter.tsx'
import { toMoments } from '../timeline/moments.ts'
import { SharedList, SharedPlayer, type SharedViewProps } from './shared-player.tsx'

/** A replay for people outside: no navigation, nothing to change. */
export function SharedSessionScreen() {
  // Kept from the first address: a later one may have lost its fragment.
  const hash = useLocation({ select: (location) => location.hash })
  const token = tokenOfHash(hash) ?? 'missing'
  const shared = useQuery(sharedQuery(token))
  useDocumentTitle('Shared replay')

  if (shared.error) return <ClosedLink error={shared.error} onRetry={() => void shared.refetch()} />
  if (!shared.data) {
    return (
      <main className="px-gutter py-48">
        <Skeleton rows={10} label="Loading the replay" />
      </main>
    )
  }
  const { session } = shared.data
  if (session === null) {
    return (
      <Page
        title="This session was deleted"
        lead={`${shared.data.project} no longer has its data: their retention ended, or the user asked for their deletion.`}
        narrow
      />
    )
  }
  return <Shared token={token} shared={shared.data} session={session} />
}

type SharedProps = { token: string; shared: SharedThing; session: SharedViewProps['session'] }

function Shared({ token, shared, session }: SharedProps) {
  const timeline = useQuery(sharedTimelineQuery(token))
  const [search, setSearch] = useState<SessionSearch>({})
  const source = useMemo(() => ({ token }), [token])
  const player = usePlayer(source, shared.replay ?? undefined, undefined)
  const events = timeline.data?.events
  const moments = useMemo(() => toMoments(events ?? [], session.startedAt), [events, session.startedAt])
  const listed = useMemo(() => {
    const kinds = kindsOf({ kinds: search.kinds }) ?? listedAtFirst
    return moments.filter(({ kind }) => kinds.includes(kind))
  }, [moments, search.kinds])
  const onSearch = (change: SessionSearch) => setSearch((before) => ({ ...before, ...change }))
  const parts = { session, timeline, moments, listed, search, onSearch }

  return (
    <SharedPage title="Shared replay" project={shared.project} expiresAt={shared.expiresAt}>
      {shared.replay && player && <SharedPlayer {...parts} replay={shared.replay} player={player} />}
      {!shared.replay && <SharedList {...parts} />}
    </SharedPage>
  )
}
