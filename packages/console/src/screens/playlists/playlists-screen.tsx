import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Playlist, playlistsQuery } from '../../api/playlists.ts'
import { PlaylistDialog } from '../../features/playlists/playlist-dialog.tsx'
import { useMayHere } from '../../shell/account.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { useNewButton } from '../../shell/use-new-button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async, Empty } from '../../ui/states.tsx'
import type { Column } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { countOf } from '../../ui/text/measure-text.ts'
import { TimeAgo } from '../../ui/text/time.tsx'

/** The playlists of an environment by name. */
export function PlaylistsScreen() {
  const { project, environment } = useScope()
  const playlists = useQuery(playlistsQuery({ project, env: environment.key }))
  const navigate = useNavigate()
  const mayChange = useMayHere('replays.keep')
  const [isCreating, setCreating] = useState(false)
  const button = useNewButton({
    label: 'New playlist',
    mayCreate: mayChange,
    missing: 'editors create playlists',
    create: () => setCreating(true),
  })
  const open = ({ id }: Playlist) =>
    void navigate({ to: '/p/$project/playlists/$playlist', params: { project, playlist: id } })

  return (
    <Screen title="Playlists" actions={button}>
      <Async
        of={playlists}
        isEmpty={(rows) => rows.length === 0}
        empty={
          <Panel>
            <Empty title={`No playlists in ${environment.name}`} action={button}>
              A playlist collects sessions to watch one after the other: the users of an experiment, or every
              way a checkout breaks. Add sessions from their screens.
            </Empty>
          </Panel>
        }
      >
        {(rows) => (
          <DataTable<Playlist>
            label="Playlists"
            rows={rows}
            rowId={({ id }) => id}
            rowName={({ name }) => name}
            columns={columns}
            sorted
            onOpen={open}
          />
        )}
      </Async>
      {isCreating && <PlaylistDialog onDone={open} onClose={() => setCreating(false)} />}
    </Screen>
  )
}

const columns: readonly Column<Playlist>[] = [
  {
    id: 'name',
    header: 'Playlist',
    fixed: true,
    card: 'title',
    cell: ({ id, name, description }) => (
      <span className="grid min-w-0 py-4">
        <Link
          from="/p/$project"
          to="/p/$project/playlists/$playlist"
          params={{ playlist: id }}
          className="font-medium [overflow-wrap:anywhere]"
        >
          {name}
        </Link>
        {description && (
          <span className="line-clamp-2 text-12 text-text-3 [overflow-wrap:anywhere]">{description}</span>
        )}
      </span>
    ),
  },
  {
    id: 'sessions',
    header: 'Sessions',
    card: 'aside',
    cell: ({ sessions }) => <span className="whitespace-nowrap">{countOf(sessions, 'session')}</span>,
  },
  { id: 'by', header: 'Created by', card: 'none', cell: ({ createdBy }) => createdBy },
  { id: 'updated', header: 'Changed', cell: ({ updatedAt }) => <TimeAgo at={updatedAt} /> },
]
