import { Link } from '@tanstack/react-router'
import type { PlaylistItem } from '../../api/playlists.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { Column } from '../../ui/table/column.ts'
import { countOf, lengthText } from '../../ui/text/measure-text.ts'
import { Time } from '../../ui/text/time.tsx'

interface PlaylistColumnsOptions {
  items: readonly PlaylistItem[]
  playlist: string
  mayChange: boolean
  onMove: (item: PlaylistItem, position: number) => void
  onNote: (item: PlaylistItem) => void
  onRemove: (item: PlaylistItem) => void
}

export function playlistColumns(options: PlaylistColumnsOptions): readonly Column<PlaylistItem>[] {
  const { items, playlist, mayChange } = options
  const columns: Column<PlaylistItem>[] = [
    {
      id: 'place',
      header: 'No.',
      width: '48px',
      card: 'none',
      cell: (item) => <span className="text-text-3">{items.indexOf(item) + 1}</span>,
    },
    {
      id: 'session',
      header: 'Session',
      fixed: true,
      card: 'title',
      cell: (item) => <SessionCell item={item} playlist={playlist} />,
    },
    {
      id: 'length',
      header: 'Length',
      align: 'end',
      card: 'none',
      cell: ({ summary }) => summary && lengthText(summary.length),
    },
    {
      id: 'issues',
      header: 'Issues',
      cell: ({ summary }) =>
        summary &&
        (summary.trouble > 0 ? (
          <span className="font-medium text-bad">{countOf(summary.trouble, 'issue')}</span>
        ) : (
          <span className="text-ok">No issues</span>
        )),
    },
    {
      id: 'note',
      header: 'Note',
      width: '32%',
      cell: ({ note }) => (
        <span className="line-clamp-3 whitespace-pre-line text-text-2 [overflow-wrap:anywhere]">{note}</span>
      ),
    },
  ]
  return mayChange ? [...columns, actionsColumn(options)] : columns
}

function SessionCell({
  item: { session, summary, addedBy },
  playlist,
}: {
  item: PlaylistItem
  playlist: string
}) {
  if (summary === null) {
    return (
      <span className="grid min-w-0 py-4">
        <span className="inline-flex items-center gap-6 text-text-2">
          <Icon name="trash" className="size-16 text-text-3" />
          Deleted session
        </span>
        <span className="text-12 text-text-3">Its retention ended, or its user was erased.</span>
      </span>
    )
  }
  return (
    <span className="grid min-w-0 py-4">
      <Link
        from="/p/$project"
        to="/p/$project/sessions/$session"
        params={{ session }}
        search={(now) => ({ env: now.env, playlist })}
        className="font-medium [overflow-wrap:anywhere]"
      >
        {summary.userKey || 'guest'}, <Time at={summary.startedAt} />
      </Link>
      <span className="text-12 text-text-3 [overflow-wrap:anywhere]">
        {summary.replay ? '' : 'No recording. '}
        {summary.replay?.kept ? 'Kept. ' : ''}Added by {addedBy}
      </span>
    </span>
  )
}

const actionsColumn = ({
  items,
  onMove,
  onNote,
  onRemove,
}: PlaylistColumnsOptions): Column<PlaylistItem> => ({
  id: 'actions',
  header: 'Actions',
  hiddenHeader: true,
  fixed: true,
  align: 'end',
  cell: (item) => {
    const place = items.indexOf(item)
    const name = `session ${place + 1}`
    return (
      <span className="inline-flex">
        <IconButton
          icon="up"
          label={`Move ${name} up`}
          disabled={place === 0}
          onClick={() => onMove(item, place - 1)}
        />
        <IconButton
          icon="down"
          label={`Move ${name} down`}
          disabled={place === items.length - 1}
          onClick={() => onMove(item, place + 1)}
        />
        <IconButton icon="edit" label={`Note on ${name}…`} onClick={() => onNote(item)} />
        <IconButton icon="trash" label={`Remove ${name}`} onClick={() => onRemove(item)} />
      </span>
    )
  },
})
