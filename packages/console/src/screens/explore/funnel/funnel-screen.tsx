import { useNavigate, useSearch } from '@tanstack/react-router'
import { emptyFilter, printField } from '@telltale/core/query/filter'
import type { FunnelQuery } from '../../../api/funnels.ts'
import { type FunnelSearch, stepsOf } from '../../../features/explore/behaviour-search.ts'
import { FunnelCounting } from '../../../features/explore/funnel-counting.tsx'
import { splitOf } from '../../../features/explore/split-picker.tsx'
import { StepList } from '../../../features/explore/step-list.tsx'
import { Screen } from '../../../shell/screen.tsx'
import { useQuestion } from '../../../shell/use-question.ts'
import { Panel } from '../../../ui/panel.tsx'
import { Empty } from '../../../ui/states.tsx'
import { ExploreTabs } from '../explore-tabs.tsx'
import { WhereFilter } from '../where-filter.tsx'
import { FunnelResult } from './funnel-result.tsx'
import { nothingOpen } from './funnel-search.ts'

/** Steps, their window and split above; what users did below. Its whole state is in the URL. */
export function FunnelScreen() {
  const search = useSearch({ from: '/p/$project/explore/funnel' })
  const navigate = useNavigate({ from: '/p/$project/explore/funnel' })
  const asking = useQuestion()
  const { question, setFilter } = asking
  const set = (change: FunnelSearch) =>
    void navigate({ search: (now) => ({ ...now, ...change }), resetScroll: false })
  /** Another funnel: the list of sessions belongs to the one before. */
  const ask = (change: FunnelSearch) => set({ ...nothingOpen, ...change })
  const asked = askedOf(search)

  return (
    <Screen title="Explore" scope="environment-and-time" tabs={<ExploreTabs />}>
      <Panel title="Funnel" note="Steps in order, with any events in between">
        <div className="grid gap-12">
          <StepList steps={search.steps} onSteps={(steps) => ask({ steps })} />
          <FunnelCounting
            value={search}
            question={question}
            onChange={(change) => ask({ ...change, ...('by' in change && { control: undefined }) })}
          />
          <div className="grid grid-cols-[auto_minmax(0,1fr)] items-start gap-x-8">
            <span className="pt-[5px] text-text-2">where</span>
            <WhereFilter of={asking} />
          </div>
        </div>
      </Panel>
      {asked === undefined ? (
        <Panel>
          <Empty title="Choose at least two steps">
            A step is a filter, such as <code>kind:view page:/cart</code>,{' '}
            <code>kind:action name:"Pay now"</code> or <code>kind:custom name:order_placed</code>.
          </Empty>
        </Panel>
      ) : (
        <FunnelResult
          asked={asked}
          texts={stepsOf(search.steps)}
          question={question}
          search={search}
          onSearch={set}
          onClear={question.filter === '' ? undefined : () => setFilter(emptyFilter)}
        />
      )}
    </Screen>
  )
}

/** Undefined with fewer than two steps. */
function askedOf({ steps, unit, window, by, control }: FunnelSearch): FunnelQuery | undefined {
  const texts = stepsOf(steps)
  if (texts.length < 2) return undefined
  const split = splitOf(by)
  return {
    steps: texts.join(' -> '),
    ...(unit !== undefined && { unit }),
    ...(window !== undefined && { window }),
    ...(split !== undefined && { by: printField(split) }),
    ...(control !== undefined && { control }),
  }
}
