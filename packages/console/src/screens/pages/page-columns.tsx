import { Link } from '@tanstack/react-router'
import type { VitalName } from '@telltale/core/telemetry/vitals'
import type { PageRow } from '../../api/pages.ts'
import type { Column } from '../../ui/table/column.ts'
import { countText, dashAtZero, shareText } from '../../ui/text/measure-text.ts'
import { VitalValue } from '../../ui/text/vital-value.tsx'

const vitalColumn = (name: VitalName): Column<PageRow> => ({
  id: name,
  header: `${name} p75`,
  align: 'end',
  width: '11%',
  // Sorted by the server.
  sortBy: () => null,
  cell: (row) => <VitalOf row={row} name={name} />,
  card: 'none',
})

export const pageColumns: readonly Column<PageRow>[] = [
  {
    id: 'page',
    header: 'Page',
    width: '30%',
    cell: (row) => (
      <span className="grid min-w-0 gap-4">
        <PageLink page={row.page} />
        <CardLine row={row} />
      </span>
    ),
    card: 'title',
    fixed: true,
  },
  {
    id: 'views',
    header: 'Views',
    align: 'end',
    sortBy: () => null,
    cell: ({ views }) => (
      <>
        {countText(views)}
        <span className="text-text-3 wide:hidden">{views === 1 ? ' view' : ' views'}</span>
      </>
    ),
    card: 'aside',
  },
  vitalColumn('LCP'),
  vitalColumn('INP'),
  vitalColumn('CLS'),
  { ...vitalColumn('TTFB'), hideBelow: 'full' },
  {
    id: 'good',
    header: 'Good',
    align: 'end',
    sortBy: () => null,
    cell: ({ good }) => (good === null ? <span className="text-text-3">–</span> : shareText(good)),
    card: 'none',
  },
  {
    id: 'errors',
    header: 'Errors',
    align: 'end',
    sortBy: () => null,
    cell: ({ errors }) => <span className={errors === 0 ? 'text-text-3' : ''}>{dashAtZero(errors)}</span>,
    card: 'none',
  },
]

/** Events of servers have no page. */
function PageLink({ page }: { page: string }) {
  if (page === '') return <span className="text-text-3">no page</span>
  return (
    <Link
      from="/p/$project/pages"
      to="/p/$project/pages/$page"
      params={{ page }}
      search={({ q }: { q?: string | undefined }) => ({ q })}
      title={page}
      className="block truncate font-code font-medium text-12"
    >
      {page}
    </Link>
  )
}

function VitalOf({ row, name }: { row: PageRow; name: VitalName }) {
  const vital = row.vitals.find((one) => one.name === name)
  return <VitalValue name={name} value={vital?.p75 ?? null} count={vital?.count ?? 0} />
}

const inCards = ['LCP', 'INP', 'CLS'] as const

/** In a card, the vitals are in one line, each with its name. */
function CardLine({ row }: { row: PageRow }) {
  return (
    <span className="flex flex-wrap gap-x-12 gap-y-2 wide:hidden">
      {inCards.map((name) => (
        <span key={name} className="inline-flex items-center gap-4">
          <span className="text-11 text-text-3">{name}</span>
          <VitalOf row={row} name={name} />
        </span>
      ))}
      {row.errors > 0 && (
        <span>
          {countText(row.errors)} <span className="text-text-3">errors</span>
        </span>
      )}
    </span>
  )
}
