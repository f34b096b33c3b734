import { Link } from '@tanstack/react-router'
import type { VitalName } from '@telltale/core/telemetry/vitals'
import type { PageRow } from '../../api/pages.ts'
import type { Question } from '../../api/question.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Panel } from '../../ui/panel.tsx'
import { Async, Empty, Skeleton } from '../../ui/states.tsx'
import type { Column } from '../../ui/table/column.ts'
import { PlainTable } from '../../ui/table/plain-table.tsx'
import { changeText, countText, signedText } from '../../ui/text/measure-text.ts'
import { VitalValue } from '../../ui/text/vital-value.tsx'
import type { MovedPage } from './moved-pages.ts'
import { useMovedPages } from './use-moved-pages.ts'

const rowsShown = 5

/** Pages whose speed changed most vs the previous period. */
export function MovedPagesPanel({ question }: { question: Question }) {
  const { project } = useScope()
  const { now, before, moved } = useMovedPages(question)
  const all = (
    <Link to="/p/$project/pages" params={{ project }} className="text-accent hover:underline">
      All pages
    </Link>
  )
  return (
    <Panel title="Biggest changes by page" actions={all} flush>
      <Async of={now.error ? now : before} loading={<Skeleton rows={rowsShown} />}>
        {() => {
          if (moved === undefined) return <Skeleton rows={rowsShown} />
          return moved.length === 0 ? (
            <NothingMoved rows={now.data ?? []} />
          ) : (
            <PlainTable
              label="Biggest changes by page"
              rows={moved.slice(0, rowsShown)}
              rowId={({ page }) => page.page}
              columns={columns}
            />
          )
        }}
      </Async>
    </Panel>
  )
}

const columns: readonly Column<MovedPage>[] = [
  { id: 'page', header: 'Page', cell: ({ page }) => <PageLink page={page.page} /> },
  { id: 'views', header: 'Views', align: 'end', cell: ({ page }) => countText(page.views) },
  { id: 'LCP', header: 'LCP p75', align: 'end', cell: (row) => <Moving row={row} name="LCP" /> },
  { id: 'INP', header: 'INP p75', align: 'end', cell: (row) => <Moving row={row} name="INP" /> },
]

function PageLink({ page }: { page: string }) {
  const { project } = useScope()
  return (
    <Link
      to="/p/$project/pages/$page"
      params={{ project, page }}
      // A cell is as wide as its longest line: without a maximum, the vitals would be cut beside the other
      // panel.
      className="block truncate font-code text-12 hover:underline full:max-w-[12vw]"
      title={page}
    >
      {page}
    </Link>
  )
}

function Moving({ row, name }: { row: MovedPage; name: VitalName }) {
  const { project } = useScope()
  const vital = row.page.vitals.find((one) => one.name === name)
  const move = row.moves.find((one) => one.name === name)
  const change =
    name === 'CLS'
      ? move && signedText(move.now - move.before, (value) => value.toFixed(2))
      : changeText(move?.now ?? null, move?.before ?? null)
  return (
    <span className="inline-flex items-baseline justify-end gap-6 whitespace-nowrap">
      <VitalValue name={name} value={vital?.p75 ?? null} count={vital?.count ?? 0} />
      {change && (
        <Link
          to="/p/$project/pages/$page"
          params={{ project, page: row.page.page }}
          search={{ vital: name }}
          className="min-w-40 text-12 text-text-3 hover:text-text hover:underline"
          title={`Breakdown and suspects of ${name} on this page`}
        >
          {change}
        </Link>
      )}
    </span>
  )
}

function NothingMoved({ rows }: { rows: readonly PageRow[] }) {
  if (rows.length === 0) return <Empty title="No page views in this time range" />
  return (
    <Empty title="Nothing to compare yet">
      A page is compared once it has 50 measured views in this period and 50 in the previous one.
    </Empty>
  )
}
