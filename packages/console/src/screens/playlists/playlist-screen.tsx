import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { type PlaylistItem, playlistQuery, type WholePlaylist } from '../../api/playlists.ts'
import { PlaylistDialog } from '../../features/playlists/playlist-dialog.tsx'
import { useMayHere } from '../../shell/account.ts'
import { MayNoticeHere } from '../../shell/may-notice.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu, MenuItem } from '../../ui/overlay/menu.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async, Empty } from '../../ui/states.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { countOf, lengthText } from '../../ui/text/measure-text.ts'
import { NoteDialog } from './note-dialog.tsx'
import { playlistColumns } from './playlist-columns.tsx'
import { usePlaylistChanges } from './use-playlist-changes.ts'

/** The sessions of a playlist, in order. */
export function PlaylistScreen() {
  const { project, environment } = useScope()
  const { playlist: id } = useParams({ from: '/p/$project/playlists/$playlist' })
  const found = useQuery(playlistQuery({ project, env: environment.key, playlist: id }))
  return (
    <Screen
      title={found.data?.name ?? 'Playlist'}
      scope="none"
      crumbs={
        <Link to="/p/$project/playlists" params={{ project }} search={{}} className="hover:text-text">
          Playlists
        </Link>
      }
      actions={found.data && <Actions playlist={found.data} />}
    >
      <Async of={found} isEmpty={() => false}>
        {(playlist) => <Sessions playlist={playlist} />}
      </Async>
    </Screen>
  )
}

function Actions({ playlist }: { playlist: WholePlaylist }) {
  const { project, environment } = useScope()
  const mayChange = useMayHere('replays.keep')
  const [isRenaming, setRenaming] = useState(false)
  const { remove } = usePlaylistChanges(playlist)
  const first = playlist.items.find(({ summary }) => summary !== null)
  return (
    <>
      {first && (
        <Link
          to="/p/$project/sessions/$session"
          params={{ project, session: first.session }}
          search={{ playlist: playlist.id, env: environment.key }}
          className={buttonClass('primary')}
        >
          <Icon name="session" />
          Play
        </Link>
      )}
      {mayChange && (
        <Menu align="end" trigger={<Button icon="more" aria-label="More" />}>
          <MenuItem icon="edit" onSelect={() => setRenaming(true)}>
            Rename…
          </MenuItem>
          <MenuItem icon="trash" danger onSelect={() => remove.mutate()}>
            Delete
          </MenuItem>
        </Menu>
      )}
      {isRenaming && (
        <PlaylistDialog playlist={playlist} onDone={() => {}} onClose={() => setRenaming(false)} />
      )}
    </>
  )
}

function Sessions({ playlist }: { playlist: WholePlaylist }) {
  const { project, environment } = useScope()
  const navigate = useNavigate()
  const mayChange = useMayHere('replays.keep')
  const [noting, setNoting] = useState<PlaylistItem>()
  const { move, takeOut } = usePlaylistChanges(playlist)
  const { items, id } = playlist
  const columns = useMemo(
    () =>
      playlistColumns({
        items,
        playlist: id,
        mayChange,
        onMove: (item, position) => move.mutate({ session: item.session, position }),
        onNote: setNoting,
        onRemove: (item) => takeOut.mutate(item),
      }),
    [items, id, mayChange, move.mutate, takeOut.mutate],
  )
  const length = items.reduce((sum, { summary }) => sum + (summary?.length ?? 0), 0)
  const gone = items.filter(({ summary }) => summary === null).length

  return (
    <>
      <div className="grid gap-4">
        {playlist.description && (
          <p className="max-w-read whitespace-pre-line text-pretty [overflow-wrap:anywhere]">
            {playlist.description}
          </p>
        )}
        <p className="text-12 text-text-2" role="status">
          {`${countOf(items.length, 'session')} in ${environment.name}`}
          {gone > 0 && `, ${gone} of them deleted`}
          {length > 0 && `, ${lengthText(length)} in total`}
          {`. Created by ${playlist.createdBy}.`}
        </p>
      </div>
      <MayNoticeHere permission="replays.keep" />
      {items.length === 0 ? (
        <Panel>
          <Empty
            title="No sessions yet"
            action={
              <Link to="/p/$project/sessions" params={{ project }} search={{}} className={buttonClass()}>
                All sessions
              </Link>
            }
          >
            Open a session and choose Playlist, or open its details in the list.
          </Empty>
        </Panel>
      ) : (
        <DataTable<PlaylistItem>
          label="Sessions of the playlist"
          rows={items}
          rowId={({ session }) => session}
          columns={columns}
          sorted
          onOpen={({ session, summary }) =>
            summary &&
            void navigate({
              to: '/p/$project/sessions/$session',
              params: { project, session },
              search: { playlist: id, env: environment.key },
            })
          }
        />
      )}
      {noting && <NoteDialog playlist={id} item={noting} onClose={() => setNoting(undefined)} />}
    </>
  )
}
