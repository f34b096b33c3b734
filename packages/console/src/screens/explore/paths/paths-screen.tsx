import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { emptyFilter } from '@telltale/core/query/filter'
import { type PathsQuery, pathsQuery } from '../../../api/funnels.ts'
import type { PathsSearch } from '../../../features/explore/behaviour-search.ts'
import { NothingFound } from '../../../shell/nothing-found.tsx'
import { Screen } from '../../../shell/screen.tsx'
import { useQuestion } from '../../../shell/use-question.ts'
import { ConditionField } from '../../../ui/form/condition-field.tsx'
import { Select } from '../../../ui/form/select.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Async, Empty } from '../../../ui/states.tsx'
import { ExploreTabs } from '../explore-tabs.tsx'
import { FoundSessionsPeek } from '../found-sessions.tsx'
import { WhereFilter } from '../where-filter.tsx'
import { PathColumns } from './path-columns.tsx'

const nothingOpen = { step: undefined, value: undefined, ended: undefined } as const

/** What users do next, or did before, in a session. Its whole state is in the URL. */
export function PathsScreen() {
  const search = useSearch({ from: '/p/$project/explore/paths' })
  const navigate = useNavigate({ from: '/p/$project/explore/paths' })
  const asking = useQuestion()
  const { question, setFilter } = asking
  const set = (change: PathsSearch) =>
    void navigate({ search: (now) => ({ ...now, ...change }), resetScroll: false })
  const ask = (change: PathsSearch) => set({ ...nothingOpen, ...change })
  const { start, direction, of, step, value, ended } = search
  const asked: PathsQuery = {
    start: start ?? '',
    ...(direction !== undefined && { direction }),
    ...(of !== undefined && { of }),
  }
  const paths = useQuery({ ...pathsQuery(question, asked), enabled: start !== undefined })
  const onClear = question.filter === '' ? undefined : () => setFilter(emptyFilter)
  const open = step ?? ended

  return (
    <Screen title="Explore" scope="environment-and-time" tabs={<ExploreTabs />}>
      <Panel title="Paths" note="Within a session; the first start in each counts">
        <div className="grid gap-10">
          <div className="flex flex-wrap items-center gap-x-8 gap-y-6 text-text-2">
            <span>The</span>
            <Select
              label="Of"
              hideLabel
              options={[
                { value: 'pages', label: 'pages' },
                { value: 'events', label: 'actions and custom events' },
              ]}
              value={of ?? 'pages'}
              onValue={(next) => ask({ of: next === 'events' ? next : undefined })}
            />
            <Select
              label="Direction"
              hideLabel
              options={[
                { value: 'after', label: 'after' },
                { value: 'before', label: 'before' },
              ]}
              value={direction ?? 'after'}
              onValue={(next) => ask({ direction: next === 'before' ? next : undefined })}
            />
            <span className="min-w-menu flex-1">
              <ConditionField
                key={start}
                label="Start"
                placeholder="kind:view page:/cart"
                text={start ?? ''}
                onText={(text) => ask({ start: text })}
              />
            </span>
          </div>
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-8 wide:grid-cols-[auto_minmax(0,1fr)]">
            <span className="pt-[5px] text-text-2">where the start has</span>
            <WhereFilter of={asking} />
          </div>
        </div>
      </Panel>
      {start === undefined ? (
        <Panel>
          <Empty title="Choose where paths start">
            An event as a filter, such as <code>kind:view page:/cart</code>.
          </Empty>
        </Panel>
      ) : (
        <Async
          of={paths}
          isEmpty={({ sessions }) => sessions === 0}
          empty={
            <Panel>
              <NothingFound of="sessions" onClear={onClear} />
            </Panel>
          }
        >
          {(found) => <PathColumns paths={found} search={search} onSearch={(change) => ask(change)} />}
        </Async>
      )}
      {start !== undefined && open !== undefined && (
        <FoundSessionsPeek
          title={step === undefined ? `Nothing at step ${open}` : `${value ?? ''} at step ${open}`}
          question={question}
          found={{
            of: 'paths',
            asked: { ...asked, step: open, ...(step !== undefined && { value: value ?? '' }) },
          }}
          onClose={() => set(nothingOpen)}
        />
      )}
    </Screen>
  )
}
