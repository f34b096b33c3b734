import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { playlistQuery } from '../../api/playlists.ts'
import { useScope } from '../../shell/scope-context.ts'
import { StepButtons } from './timeline/neighbour-buttons.tsx'

type PlaylistPlaceProps = { id: string; playlist: string }

/** `2 of 5` in the playlist that is played, with the previous and next session. Deleted ones are passed over. */
export function PlaylistNeighbours({ id, playlist }: PlaylistPlaceProps) {
  const { project, environment } = useScope()
  const navigate = useNavigate()
  const found = useQuery(playlistQuery({ project, env: environment.key, playlist }))
  const items = found.data?.items.filter(({ session, summary }) => summary !== null || session === id) ?? []
  const index = items.findIndex(({ session }) => session === id)
  const open = (session: string) =>
    void navigate({ to: '/p/$project/sessions/$session', params: { project, session }, search: { playlist } })
  if (index < 0) return null
  return (
    <StepButtons
      place={index + 1}
      total={items.length}
      before={items[index - 1]?.session}
      after={items[index + 1]?.session}
      onOpen={open}
    />
  )
}

export function PlaylistCrumb({ playlist }: { playlist: string }) {
  const { project, environment } = useScope()
  const found = useQuery(playlistQuery({ project, env: environment.key, playlist }))
  return (
    <Link
      to="/p/$project/playlists/$playlist"
      params={{ project, playlist }}
      search={{}}
      className="max-w-[24ch] truncate hover:text-text"
    >
      {found.data?.name ?? 'Playlist'}
    </Link>
  )
}
