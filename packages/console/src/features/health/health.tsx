import { useQuery } from '@tanstack/react-query'
import { stepForPercentiles } from '@telltale/core/query/step-for-percentiles'
import type { TimeStep } from '@telltale/core/query/time-buckets'
import { use, useCallback, useMemo } from 'react'
import { type Overview, overviewQuery } from '../../api/overview.ts'
import type { Question } from '../../api/question.ts'
import { StackedChart } from '../../charts/stacked-chart.tsx'
import { useScope, useSetScope } from '../../shell/scope-context.ts'
import { rangeOf } from '../../shell/time-range.ts'
import { Panel } from '../../ui/panel.tsx'
import { Async } from '../../ui/states.tsx'
import { sampleText } from '../../ui/text/sample-text.ts'
import { TimeZone } from '../../ui/text/time.tsx'
import { FlagChangeCard } from '../flags/flag-change-card.tsx'
import { type FlagChangeMarker, useFlagMarkers } from '../flags/use-flag-markers.ts'
import { healthPanels, stepsOf, stepText } from './health-panels.tsx'

/** Vitals, errors and sessions over the same period, with the flag changes in it. */
export function Health({ question }: { question: Question }) {
  const overview = useQuery(overviewQuery(question))
  const step = useMemo(() => overview.data && stepForVitals(overview.data), [overview.data])
  const coarse = useQuery({ ...overviewQuery(question, step), enabled: step !== undefined })

  if (!overview.data) {
    return (
      <Panel flush>
        <div className="min-h-[560px]">
          <Async of={overview}>{() => null}</Async>
        </div>
      </Panel>
    )
  }
  const isOld = overview.isPlaceholderData
  return (
    <div className={`min-w-0 ${isOld ? 'opacity-60' : ''}`}>
      <Charts
        fine={overview.data}
        coarse={(step && !coarse.isPlaceholderData && coarse.data) || overview.data}
        question={question}
      />
    </div>
  )
}

type ChartsProps = { fine: Overview; coarse: Overview; question: Question }

function Charts({ fine, coarse, question }: ChartsProps) {
  const { environment } = useScope()
  const setScope = useSetScope()
  const changes = useFlagMarkers(question)
  const panels = useMemo(() => healthPanels(fine, coarse), [fine, coarse])
  const { times, partial } = useMemo(() => stepsOf(fine), [fine])
  const choose = useCallback((from: number, to: number) => setScope({ t: rangeOf({ from, to }) }), [setScope])
  const card = useCallback((markers: readonly FlagChangeMarker[]) => <FlagChangeCard markers={markers} />, [])

  return (
    <StackedChart
      label={`Health of ${environment.name}: ${panels.map(({ sentence }) => sentence).join('; ')}`}
      from={Date.parse(fine.from)}
      to={Date.parse(fine.to)}
      times={times}
      partial={partial}
      panels={panels}
      changes={changes}
      changeCard={card}
      timeZone={use(TimeZone)}
      onSpan={choose}
      note={
        <>
          Change vs previous period
          {coarse !== fine && `, vitals per ${stepText(coarse.step)}`}
          {fine.sample > 1 && ` · ${sampleText(fine.sample)}`}
        </>
      }
    />
  )
}

/**
 * The step in which most page loads have a value; undefined when the current step is fine enough, or when none
 * would be.
 */
function stepForVitals({ series, step, from, to }: Overview): TimeStep | undefined {
  const points = series.map(({ at, vitals }) => ({
    at,
    count: vitals.find(({ name }) => name === 'LCP')?.count ?? 0,
  }))
  const found = stepForPercentiles({ from, to, step, points })
  return found === step ? undefined : found
}
