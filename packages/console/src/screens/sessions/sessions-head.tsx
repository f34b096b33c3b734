import { useQuery } from '@tanstack/react-query'
import {
  type SessionFacet,
  type SessionQuestion,
  type SessionSort,
  sessionFacetsQuery,
  sessionSeriesQuery,
} from '../../api/sessions.ts'
import { Segmented } from '../../ui/form/choice.tsx'
import { Select } from '../../ui/form/select.tsx'
import { ErrorBoundary } from '../../ui/panel.tsx'
import { countText } from '../../ui/text/measure-text.ts'
import { sampleText } from '../../ui/text/sample-text.ts'
import { facetsRequest } from './facets-beside.tsx'
import { FlagPicker } from './flag-picker.tsx'
import { splitRead } from './read-variation.tsx'
import { SessionsChart } from './sessions-chart.tsx'
import type { SessionsSearch } from './sessions-search.ts'

type SessionsHeadProps = {
  requested: SessionQuestion
  search: SessionsSearch
  flag: string | undefined
  onSearch: (change: SessionsSearch) => void
}

const orders: readonly { value: SessionSort; label: string }[] = [
  { value: 'newest', label: 'Newest first' },
  { value: 'trouble', label: 'Most issues first' },
  { value: 'errors', label: 'Most errors first' },
  { value: 'lcp', label: 'Slowest LCP first' },
  { value: 'inp', label: 'Slowest INP first' },
  { value: 'length', label: 'Longest first' },
]

/** Number of sessions, their starts over time, and view options. */
export function SessionsHead({ requested, search, flag, onSearch }: SessionsHeadProps) {
  const facets = useQuery(sessionFacetsQuery(requested, facetsRequest))
  const series = useQuery(sessionSeriesQuery(requested))

  return (
    <section
      aria-label="Sessions over time"
      className="rounded-panel border border-line bg-surface px-14 py-10"
    >
      <div className="flex flex-wrap items-center gap-x-12 gap-y-8">
        <p className="flex min-w-0 flex-wrap items-baseline gap-x-6" role="status">
          {facets.data && (
            <>
              <span className={facets.isPlaceholderData ? 'opacity-60' : ''}>
                <strong className="font-strong">{countText(facets.data.sessions)}</strong>{' '}
                {Math.round(facets.data.sessions) === 1 ? 'session' : 'sessions'}
              </span>{' '}
              <span className="text-12 text-text-3">
                {[`of ${countText(facets.data.of)}`, sampleText(facets.data.sample)]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </>
          )}
        </p>
        <span className="ml-auto flex flex-wrap items-center gap-8 max-wide:ml-0">
          <span className={search.view === 'compare' ? '' : 'max-wide:hidden'}>
            <FlagPicker
              key={flag}
              frequent={frequentFlags(facets.data?.facets)}
              flag={flag}
              onFlag={(next) => onSearch({ flag: next })}
            />
          </span>
          {search.view !== 'compare' && (
            <Select
              label="Order"
              hideLabel
              options={orders}
              value={search.sort ?? 'newest'}
              onValue={(sort) => onSearch({ sort: sort === 'newest' ? undefined : sort })}
            />
          )}
          <Segmented
            label="View sessions as"
            choices={[
              { value: 'list', label: 'List' },
              {
                value: 'compare',
                label: (
                  <span>
                    Compare<span className="max-wide:sr-only"> variations</span>
                  </span>
                ),
              },
            ]}
            value={search.view ?? 'list'}
            onValue={(view) => onSearch({ view: view === 'compare' ? view : undefined })}
          />
        </span>
      </div>
      {series.data && (
        <ErrorBoundary>
          <div className={`max-wide:hidden ${series.isPlaceholderData ? 'opacity-60' : ''}`}>
            <SessionsChart series={series.data} question={requested.question} />
          </div>
        </ErrorBoundary>
      )}
      {!series.data && !series.error && <div className="h-[104px] max-wide:hidden" />}
    </section>
  )
}

/** The flags evaluated most in the sessions. */
function frequentFlags(facets: readonly SessionFacet[] | undefined): string[] {
  const read = facets?.find(({ field }) => field === 'flag')?.values.map(({ value }) => splitRead(value)[0])
  return [...new Set(read)].sort()
}
