import { Link } from '@tanstack/react-router'
import type { FieldName } from '@telltale/core/query/filter-fields'
import type { IssueList } from '../../api/issues.ts'
import { usePeople } from '../../features/people/use-people.ts'
import { BotSwitch } from '../../shell/bot-switch.tsx'
import { type SearchQuestion, useFilterValues } from '../../shell/use-question.ts'
import { Facet } from '../../ui/filter/filter-bar.tsx'
import { TelemetryFilter } from '../../ui/filter/telemetry-filter.tsx'
import { fullCountText } from '../../ui/text/measure-text.ts'
import { type ErrorsSearch, type IssueView, issueViews } from './errors-search.ts'

type ErrorsFiltersProps = {
  requested: SearchQuestion
  search: ErrorsSearch
  onSearch: (change: ErrorsSearch) => void
  states: IssueList['states'] | undefined
  /** The server's error about the filter. */
  fault: string | undefined
}

const viewNames: Record<IssueView, string> = {
  open: 'Open',
  regressed: 'Regressed',
  resolved: 'Resolved',
  ignored: 'Ignored',
  all: 'All',
}

/** Properties of an error. */
const fields: readonly FieldName[] = [
  ...([
    'flag',
    'browser',
    'version',
    'page',
    'country',
    'device',
    'os',
    'user',
    'error',
    'error-type',
  ] as const),
  ...(['handled', 'issue', 'service', 'source', 'origin'] as const),
  ...(['session', 'url', 'attr', 'replay', 'bot'] as const),
]

/** States as one-click views; below, the filters for errors and assignee. */
export function ErrorsFilters({ requested, search, onSearch, states, fault }: ErrorsFiltersProps) {
  const { question, filter, setFilter } = requested
  const loadValues = useFilterValues(question)
  const people = usePeople(question.project)
  const { state = 'open' } = search

  return (
    <div className="grid min-w-0 gap-12">
      <nav aria-label="Views" className="flex min-w-0 gap-2 overflow-x-auto [scrollbar-width:none]">
        {issueViews.map((view) => (
          <Link
            key={view}
            from="/p/$project/errors"
            to="/p/$project/errors"
            search={(now) => ({ ...now, state: view === 'open' ? undefined : view, peek: undefined })}
            aria-current={state === view ? 'page' : undefined}
            activeOptions={{ exact: true, includeSearch: true }}
            className="flex h-ctl shrink-0 items-center gap-6 whitespace-nowrap rounded-control px-8 font-medium text-text-2 -outline-offset-2 hover:bg-hover aria-[current=page]:bg-selected aria-[current=page]:text-text"
          >
            {viewNames[view]}
            {states && <span className="text-12 text-text-3">{fullCountText(countOf(view, states))}</span>}
          </Link>
        ))}
      </nav>
      <TelemetryFilter
        label="Filter: browser:Safari, flag:checkout=new, error:~card, words"
        filter={filter}
        onFilter={setFilter}
        fault={requested.fault ?? fault}
        fields={fields}
        loadValues={loadValues}
        after={
          <>
            <Facet
              label="Assigned to"
              values={people.map(({ id, name }) => ({ value: id, label: name }))}
              chosen={search.assignee === undefined ? [] : [search.assignee]}
              // The server accepts one assignee: use the last one chosen.
              onChosen={(chosen) => onSearch({ assignee: chosen.at(-1) })}
            />
            <BotSwitch question={question} filter={filter} onFilter={setFilter} />
          </>
        }
      />
    </div>
  )
}

function countOf(view: IssueView, { unresolved, regressed, resolved, ignored }: IssueList['states']): number {
  if (view === 'open') return unresolved + regressed
  if (view === 'all') return unresolved + regressed + resolved + ignored
  return { regressed, resolved, ignored }[view]
}
