import { useQuery } from '@tanstack/react-query'
import { type PageResource, resourcesQuery } from '../../api/pages.ts'
import type { Question } from '../../api/question.ts'
import { Panel } from '../../ui/panel.tsx'
import { Async, Empty } from '../../ui/states.tsx'
import type { Column } from '../../ui/table/column.ts'
import { PlainTable } from '../../ui/table/plain-table.tsx'
import { bytesText, countText, durationText, shareText } from '../../ui/text/measure-text.ts'
import { sampledNote } from '../../ui/text/sample-text.ts'

/** Resources of the page, those with the most time first. */
export function ResourcesPanel({ question, page }: { question: Question; page: string }) {
  const resources = useQuery(resourcesQuery(question, page))
  return (
    <Panel title="Resources" note={sampledNote('by total time', resources.data)} flush>
      <Async
        of={resources}
        isEmpty={({ resources }) => resources.length === 0}
        empty={<Empty title="No resources in this time range" />}
      >
        {({ resources }) => (
          <PlainTable label="Resources of the page" rows={resources} rowId={idOf} columns={columns} />
        )}
      </Async>
    </Panel>
  )
}

const idOf = ({ type, host, name }: PageResource) => `${type} ${host} ${name}`

const columns: readonly Column<PageResource>[] = [
  {
    id: 'resource',
    header: 'Resource',
    cell: ({ name, host }) => (
      <span className="block truncate font-code text-12" title={`${name}\n${host}`}>
        {shortOf(name, host)}
      </span>
    ),
  },
  { id: 'type', header: 'Type', cell: ({ type }) => <span className="text-text-2">{type}</span> },
  { id: 'loads', header: 'Requests', align: 'end', cell: ({ count }) => countText(count) },
  {
    id: 'p75',
    header: 'p75',
    align: 'end',
    cell: ({ p75 }) => (p75 === null ? <Faint>too few</Faint> : durationText(p75)),
  },
  {
    id: 'size',
    header: 'Mean size',
    align: 'end',
    cell: ({ meanBytes }) => (meanBytes === 0 ? <Faint>unknown</Faint> : bytesText(meanBytes)),
  },
  {
    id: 'failed',
    header: 'Failed',
    align: 'end',
    cell: ({ failed }) =>
      failed === 0 ? <Faint>–</Faint> : <span className="text-bad">{shareText(failed)}</span>,
  },
]

function Faint({ children }: { children: string }) {
  return <span className="text-text-3">{children}</span>
}

/** The URL without its origin, which is in the tooltip. */
function shortOf(name: string, host: string): string {
  const start = name.indexOf(host)
  return start > 0 ? name.slice(start + host.length) || '/' : name
}
