import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { emptyFilter, printField } from '@telltale/core/query/filter'
import { type RetentionQuery, retentionQuery } from '../../../api/funnels.ts'
import type { RetentionSearch } from '../../../features/explore/behaviour-search.ts'
import { SplitPicker, splitOf } from '../../../features/explore/split-picker.tsx'
import { NothingFound } from '../../../shell/nothing-found.tsx'
import { Screen } from '../../../shell/screen.tsx'
import { useQuestion } from '../../../shell/use-question.ts'
import { ConditionField } from '../../../ui/form/condition-field.tsx'
import { Select } from '../../../ui/form/select.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Async } from '../../../ui/states.tsx'
import { ExcludedNote } from '../excluded-note.tsx'
import { ExploreTabs } from '../explore-tabs.tsx'
import { WhereFilter } from '../where-filter.tsx'
import { CohortTable } from './cohort-table.tsx'
import { ReturnLines } from './return-lines.tsx'

/** Who returns after a first event, by day or week. Its whole state is in the URL. */
export function RetentionScreen() {
  const search = useSearch({ from: '/p/$project/explore/retention' })
  const navigate = useNavigate({ from: '/p/$project/explore/retention' })
  const asking = useQuestion()
  const { question, setFilter } = asking
  const set = (change: RetentionSearch) =>
    void navigate({ search: (now) => ({ ...now, ...change }), resetScroll: false })
  const retention = useQuery(retentionQuery(question, askedOf(search)))
  const onClear = question.filter === '' ? undefined : () => setFilter(emptyFilter)

  return (
    <Screen title="Explore" scope="environment-and-time" tabs={<ExploreTabs />}>
      <Panel title="Retention" note="Users who return after their first event in this time range">
        <div className="grid gap-10">
          <div className="grid grid-cols-[84px_minmax(0,1fr)] items-start gap-8 [&>span]:pt-[5px] [&>span]:text-text-2">
            <span>First event</span>
            <ConditionField
              key={`first ${search.first}`}
              label="First event"
              placeholder="kind:view (any session)"
              text={search.first ?? ''}
              onText={(first) => set({ first: first || undefined })}
              mayBeEmpty
            />
            <span>Returns with</span>
            <ConditionField
              key={`return ${search.return}`}
              label="Event of return"
              placeholder="kind:view (any session)"
              text={search.return ?? ''}
              onText={(later) => set({ return: later || undefined })}
              mayBeEmpty
            />
            <span>where</span>
            <WhereFilter of={asking} />
          </div>
          <div className="flex flex-wrap items-center gap-x-8 gap-y-6 text-text-2">
            <span>by</span>
            <Select
              label="By"
              hideLabel
              options={[
                { value: 'auto', label: 'Auto' },
                { value: 'day', label: 'day' },
                { value: 'week', label: 'week' },
              ]}
              value={search.every ?? 'auto'}
              onValue={(every) => set({ every: every === 'auto' ? undefined : every })}
            />
            <span>split by</span>
            <SplitPicker by={search.by} onBy={(by) => set({ by })} question={question} />
          </div>
        </div>
      </Panel>
      <Async
        of={retention}
        isEmpty={({ lines }) => lines[0]?.size === 0}
        empty={
          <Panel>
            <NothingFound of="users" onClear={onClear} />
          </Panel>
        }
      >
        {(found) => (
          <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-16">
            <Panel
              title="Share that returns"
              note={`By ${found.step}s after the first event, without those that are not over; 95% intervals`}
              {...(found.excluded !== null && {
                footer: <ExcludedNote excluded={found.excluded} unit="users" of="event" />,
              })}
            >
              <ReturnLines retention={found} />
            </Panel>
            <Panel title="Cohorts" note={`By the ${found.step} of the first event, ${found.timeZone}`} flush>
              <CohortTable retention={found} />
            </Panel>
          </div>
        )}
      </Async>
    </Screen>
  )
}

function askedOf({ first, return: later, every, by }: RetentionSearch): RetentionQuery {
  const split = splitOf(by)
  return {
    ...(first !== undefined && { first }),
    ...(later !== undefined && { return: later }),
    ...(every !== undefined && { step: every }),
    ...(split !== undefined && { by: printField(split) }),
  }
}
