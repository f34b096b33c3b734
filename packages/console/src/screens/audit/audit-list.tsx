import { useInfiniteQuery } from '@tanstack/react-query'
import { use } from 'react'
import { type AuditEntry, auditQuery } from '../../api/audit.ts'
import { Button } from '../../ui/button.tsx'
import { Peek } from '../../ui/overlay/peek.tsx'
import { Async, Empty } from '../../ui/states.tsx'
import type { Column } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { Time, TimeZone } from '../../ui/text/time.tsx'
import { zoneName } from '../../ui/text/time-text.ts'
import { AuditDetail } from './audit-detail.tsx'
import { AuditExport } from './audit-export.tsx'
import { AuditFilters } from './audit-filters.tsx'
import { type AuditSearch, auditFilterOf, hasFilter, noFilter } from './audit-search.ts'

type AuditListProps = {
  /** Without one: the whole installation. */
  project: string | undefined
  search: AuditSearch
  onSearch: (change: AuditSearch) => void
  people: readonly { id: string; name: string }[]
}

/** Audit entries, newest first, with the detail of the selected one beside the list. */
export function AuditList({ project, search, onSearch, people }: AuditListProps) {
  const timeZone = use(TimeZone)
  const filter = auditFilterOf(search, timeZone)
  const audit = useInfiniteQuery(auditQuery(project, filter))
  const rows = audit.data?.pages.flatMap(({ items }) => items) ?? []
  const opened = rows.find(({ id }) => id === search.entry)
  const clear = () => onSearch(noFilter)
  const zone = zoneName(timeZone)

  function toggle({ id }: AuditEntry) {
    onSearch({ entry: id === search.entry ? undefined : id })
  }

  return (
    <>
      <AuditFilters
        search={search}
        onSearch={onSearch}
        onClear={clear}
        people={people}
        exporting={audit.data && <AuditExport project={project} filter={filter} />}
      />
      <Async
        of={audit}
        isEmpty={({ pages }) => pages.every(({ items }) => items.length === 0)}
        empty={
          audit.hasNextPage ? (
            <Empty title="No matches so far" action={<LoadMore of={audit} label="Search further back" />}>
              No entry matches among the newest. Older ones were not searched yet.
            </Empty>
          ) : hasFilter(search) ? (
            <Empty title="No matches" action={<Button onClick={clear}>Clear the filters</Button>}>
              No entry matches these filters.
            </Empty>
          ) : (
            <Empty title="No changes yet" />
          )
        }
      >
        {() => (
          <DataTable
            label="Audit log"
            rows={rows}
            rowId={({ id }) => id}
            columns={columns(project === undefined, toggle)}
            onOpen={toggle}
            onPeek={toggle}
            peeked={search.entry}
            more={audit}
            footer={`Times in ${zone}`}
            sorted
          />
        )}
      </Async>
      {opened && (
        <Peek
          title={`${opened.action}: ${opened.entity.name}`}
          onClose={() => onSearch({ entry: undefined })}
        >
          <AuditDetail entry={opened} onSearch={onSearch} />
        </Peek>
      )}
    </>
  )
}

function columns(showsProject: boolean, onOpen: (entry: AuditEntry) => void): readonly Column<AuditEntry>[] {
  return [
    {
      id: 'what',
      header: 'Action',
      fixed: true,
      width: '34%',
      card: 'title',
      cell: (entry) => (
        <span className="grid min-w-0 justify-items-start wide:py-4">
          <button
            type="button"
            onClick={() => onOpen(entry)}
            className="min-h-24 cursor-pointer text-left font-medium [overflow-wrap:anywhere] hover:underline"
          >
            {entry.entity.name}
          </button>
          <code className="text-text-3">{entry.action}</code>
          <span className="flex min-w-0 flex-wrap gap-x-8 pt-4 text-12 text-text-2 [overflow-wrap:anywhere] wide:hidden">
            <Actor actor={entry.actor} />
            {scopeText(showsProject ? entry.project : null, entry.environment)}
          </span>
        </span>
      ),
    },
    {
      id: 'where',
      header: showsProject ? 'Project, environment' : 'Environment',
      card: 'none',
      cell: ({ project, environment }) => (
        <code
          className="block max-w-menu truncate text-text-2"
          title={scopeText(showsProject ? project : null, environment)}
        >
          {scopeText(showsProject ? project : null, environment)}
        </code>
      ),
    },
    {
      id: 'who',
      header: 'By',
      width: '160px',
      card: 'none',
      cell: ({ actor }) => <Actor actor={actor} />,
    },
    {
      id: 'reason',
      header: 'Reason',
      hideBelow: 'full',
      card: 'none',
      cell: ({ reason }) => (
        <span className="line-clamp-2 text-text-2 [overflow-wrap:anywhere]">{reason}</span>
      ),
    },
    {
      id: 'at',
      header: 'When',
      align: 'end',
      card: 'aside',
      cell: ({ at }) => (
        <span className="max-wide:leading-[24px]">
          <Time at={at} />
        </span>
      ),
    },
  ]
}

function Actor({ actor }: Pick<AuditEntry, 'actor'>) {
  return (
    <span className="[overflow-wrap:anywhere]">
      {actor.name} {actor.kind !== 'user' && <span className="text-text-3">({actor.kind})</span>}
    </span>
  )
}

function scopeText(project: string | null, environment: string | null): string {
  return [project, environment].filter((part) => part !== null).join(' / ')
}
