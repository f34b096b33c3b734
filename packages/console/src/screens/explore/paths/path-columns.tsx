import type { Paths } from '../../../api/funnels.ts'
import type { PathsSearch } from '../../../features/explore/behaviour-search.ts'
import { Panel } from '../../../ui/panel.tsx'
import { PlainTable } from '../../../ui/table/plain-table.tsx'
import { countOf, countText, shareText } from '../../../ui/text/measure-text.ts'

type PathColumnsProps = {
  paths: Paths
  search: PathsSearch
  onSearch: (change: PathsSearch) => void
}

/** A column per step with its most frequent values, and the most frequent whole paths. */
export function PathColumns({ paths, search, onSearch }: PathColumnsProps) {
  const { sessions, steps, distinct } = paths
  const endings = search.direction === 'before' ? 'began here' : 'ended here'
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-16">
      <Panel title="Steps" note={`${countOf(sessions, 'session')} with the start`} flush>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
        <section aria-label="Steps" tabIndex={0} className="overflow-x-auto -outline-offset-2">
          <ol className="grid auto-cols-[minmax(200px,1fr)] grid-flow-col">
            {steps.map((step, index) => {
              const before = steps[index - 1]?.sessions ?? sessions
              const ended = before - step.sessions
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: steps are known by their place.
                <li key={index} className="grid content-start border-line border-r last:border-r-0">
                  <h3 className="flex justify-between gap-8 border-line border-b px-12 py-6 font-medium">
                    <span>
                      {search.direction === 'before' ? `${index + 1} before` : `${index + 1} after`}
                    </span>
                    <span className="text-text-3 tabular-nums">{countText(step.sessions)}</span>
                  </h3>
                  {step.values.map(({ value, sessions: own }) => (
                    <Value
                      key={value}
                      name={value}
                      count={own}
                      of={sessions}
                      onOpen={() => onSearch({ step: index + 1, value })}
                    />
                  ))}
                  {step.others.values > 0 && (
                    <Value
                      name={`${countText(step.others.values)} others`}
                      count={step.others.sessions}
                      of={sessions}
                    />
                  )}
                  {ended > 0 && (
                    <Value
                      name={endings}
                      count={ended}
                      of={sessions}
                      isQuiet
                      {...(index === 0 && { onOpen: () => onSearch({ ended: 1 }) })}
                    />
                  )}
                </li>
              )
            })}
          </ol>
        </section>
        {steps.length === 0 && (
          <p className="px-14 py-12 text-text-2">
            {search.direction === 'before' ? 'Nothing precedes the start.' : 'Nothing follows the start.'}
          </p>
        )}
      </Panel>
      <Panel title="Whole paths" note={`${countText(distinct)} different; the most frequent`} flush>
        <PlainTable<Paths['paths'][number]>
          label="Whole paths"
          rows={paths.paths}
          rowId={({ values }) => JSON.stringify(values)}
          columns={[
            {
              id: 'path',
              header: 'Path',
              cell: ({ values }) => (
                <code className="block truncate text-12" title={values.join(' → ')}>
                  {values.length === 0 ? endings : values.join(' → ')}
                </code>
              ),
            },
            { id: 'sessions', header: 'Sessions', align: 'end', cell: (row) => countText(row.sessions) },
            { id: 'share', header: 'Share', align: 'end', cell: (row) => shareText(row.sessions / sessions) },
          ]}
        />
      </Panel>
    </div>
  )
}

type ValueProps = { name: string; count: number; of: number; isQuiet?: boolean; onOpen?: () => void }

/** A value with a bar behind it; opens its sessions. */
function Value({ name, count, of, isQuiet = false, onOpen }: ValueProps) {
  const share = of === 0 ? 0 : count / of
  const content = (
    <>
      <span
        aria-hidden="true"
        className={`absolute inset-y-2 left-0 rounded-chip ${isQuiet ? 'bg-hover' : 'bg-accent-soft'}`}
        style={{ width: `${share * 100}%` }}
      />
      <span
        className={`relative min-w-0 flex-1 truncate ${isQuiet ? 'text-text-2' : 'font-code text-12'}`}
        title={name}
      >
        {name}
      </span>
      <span className="relative text-12 tabular-nums">
        {countText(count)} <span className="text-text-2">{shareText(share)}</span>
      </span>
    </>
  )
  const className = 'relative flex min-h-row min-w-0 items-center gap-8 px-12 text-left'
  if (onOpen === undefined) return <div className={className}>{content}</div>
  return (
    <button
      type="button"
      onClick={onOpen}
      className={`${className} w-full cursor-pointer -outline-offset-2 hover:bg-hover`}
    >
      {content}
    </button>
  )
}
