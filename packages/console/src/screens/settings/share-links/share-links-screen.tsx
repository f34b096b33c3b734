import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { type ShareLink, shareLinksQuery } from '../../../api/share-links.ts'
import { LinkState } from '../../../features/sharing/link-state.tsx'
import { RevokeLink } from '../../../features/sharing/revoke-link.tsx'
import { useScope } from '../../../shell/scope-context.ts'
import { SectionScreen } from '../../../shell/section-screen.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { Async, Empty } from '../../../ui/states.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { countOf } from '../../../ui/text/measure-text.ts'
import { TimeAgo } from '../../../ui/text/time.tsx'

/** Every link of the project that shows something to people outside. */
export function ShareLinksScreen() {
  const { project } = useScope()
  const links = useInfiniteQuery(shareLinksQuery(project))
  const [revoking, setRevoking] = useState<ShareLink>()
  const columns = useMemo(() => columnsOf({ project, onRevoke: setRevoking }), [project])
  return (
    <SectionScreen
      of="settings"
      title="Share links"
      lead="Links to replays and dashboards that work without an account. Create one with Share on a session or a dashboard."
    >
      <Async
        of={links}
        isEmpty={({ pages }) => pages.every(({ items }) => items.length === 0)}
        empty={
          <Empty title="Nothing is shared">
            Choose Share on a session or a dashboard, to show it outside of the project.
          </Empty>
        }
      >
        {({ pages }) => (
          <DataTable
            label="Share links"
            rows={pages.flatMap(({ items }) => items)}
            rowId={({ id }) => id}
            columns={columns}
            more={links}
            sorted
          />
        )}
      </Async>
      {revoking && <RevokeLink link={revoking} onClose={() => setRevoking(undefined)} />}
    </SectionScreen>
  )
}

interface Parts {
  project: string
  onRevoke: (link: ShareLink) => void
}

const columnsOf = ({ project, onRevoke }: Parts): readonly Column<ShareLink>[] => [
  {
    id: 'target',
    header: 'Shows',
    fixed: true,
    card: 'title',
    cell: (link) => (
      <span className="grid min-w-0 py-4">
        <TargetLink link={link} project={project} />
        <span className="text-12 text-text-3">in {link.env}</span>
      </span>
    ),
  },
  { id: 'state', header: 'State', cell: (link) => <LinkState link={link} /> },
  {
    id: 'by',
    header: 'Created by',
    cell: ({ createdBy, createdAt }) => (
      <span className="grid min-w-0">
        <span className="[overflow-wrap:anywhere]">{createdBy}</span>
        <span className="text-12 text-text-3">
          <TimeAgo at={createdAt} />
        </span>
      </span>
    ),
  },
  {
    id: 'opened',
    header: 'Opened',
    cell: ({ opened, lastOpenedAt }) =>
      opened === 0 ? (
        <span className="text-text-3">Never opened</span>
      ) : (
        <span className="grid min-w-0">
          <span>Opened {countOf(opened, 'time')}</span>
          <span className="text-12 text-text-3">
            Last <TimeAgo at={lastOpenedAt} />
          </span>
        </span>
      ),
  },
  {
    id: 'actions',
    header: 'Actions',
    hiddenHeader: true,
    fixed: true,
    align: 'end',
    card: 'aside',
    cell: (link) =>
      link.state === 'active' ? (
        <IconButton icon="trash" label="Revoke link…" onClick={() => onRevoke(link)} />
      ) : null,
  },
]

function TargetLink({ link, project }: { link: ShareLink; project: string }) {
  if (link.kind === 'dashboard') {
    return (
      <Link
        to="/p/$project/dashboards/$dashboard"
        params={{ project, dashboard: link.target }}
        search={{ env: link.env }}
        className="font-medium underline-offset-2 hover:underline"
      >
        Dashboard <code>{link.target.slice(-8)}</code>
      </Link>
    )
  }
  return (
    <Link
      to="/p/$project/sessions/$session"
      params={{ project, session: link.target }}
      search={{ env: link.env }}
      className="font-medium underline-offset-2 hover:underline"
    >
      Replay of session <code>{link.target.slice(-8)}</code>
    </Link>
  )
}
