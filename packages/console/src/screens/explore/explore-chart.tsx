import { useQuery } from '@tanstack/react-query'
import { stepForPercentiles } from '@telltale/core/query/step-for-percentiles'
import { useMemo } from 'react'
import type { Exploration, Explored } from '../../api/explore.ts'
import { exploreQuery } from '../../api/explore.ts'
import type { Question } from '../../api/question.ts'
import { switchMarkers, useMarkersShown } from '../../charts/markers-shown.ts'
import { TimeChart } from '../../charts/time-chart.tsx'
import { type ExploreSearch, looks } from '../../features/explore/explore-search.ts'
import { exploredSeries, exploredTimes } from '../../features/explore/explored-series.ts'
import { useFlagMarkers } from '../../features/flags/use-flag-markers.ts'
import { useSetScope } from '../../shell/scope-context.ts'
import { rangeOf } from '../../shell/time-range.ts'
import { useShortcut } from '../../ui/keyboard.tsx'
import { measureLabel, valueFormat } from '../../ui/text/measure-words.ts'
import { stepText } from '../../ui/text/step-words.ts'

/** Groups that are small compared with the first ones do not affect the step. */
const groupsHeard = 3

/**
 * The result whose steps are long enough for percentiles, if the step is automatic: that of a second query when
 * the first has hardly any points. Undefined while it loads, and if no step is long enough.
 */
function useLongerSteps(explored: Explored, exploration: Exploration, question: Question) {
  const { measure = 'count', step: requested } = exploration
  const isPercentile = /^p\d/.test(measure)
  const step = isPercentile && requested === undefined ? stepOf(explored) : explored.step
  const isLonger = step !== undefined && step !== explored.step
  const longer = useQuery({
    ...exploreQuery(question, { ...exploration, step: step ?? explored.step }),
    enabled: isLonger,
  })
  // Do not draw the cached result of another question.
  const answer = longer.isPlaceholderData ? undefined : longer.data
  return { step, drawn: isLonger ? answer : explored }
}

function stepOf({ groups, ...explored }: Explored) {
  const heard = groups.slice(0, groupsHeard)
  const points = heard.flatMap((group) => group.points.map(({ at, events }) => ({ at, events })))
  // In one step, each group has a separate count: the largest decides.
  const counts = new Map<string, number>()
  for (const { at, events } of points) counts.set(at, Math.max(counts.get(at) ?? 0, events))
  return stepForPercentiles({ ...explored, points: [...counts].map(([at, count]) => ({ at, count })) })
}

type ExploreChartProps = {
  explored: Explored
  exploration: Exploration
  before: Explored | undefined
  search: ExploreSearch
  question: Question
}

/** The result over time, with flag changes; dragging sets the period. */
export function ExploreChart({ explored, exploration, ...props }: ExploreChartProps) {
  const { step, drawn } = useLongerSteps(explored, exploration, props.question)
  if (step === undefined) return <p className="text-text-3">Too few events for a percentile over time.</p>
  if (drawn === undefined) return <div style={{ height }} />
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4">
      <Plot {...props} explored={drawn} />
      <p className="text-12 text-text-3">Interval: {stepText(step)}.</p>
    </div>
  )
}

const none: readonly never[] = []
const height = 260

function Plot({ explored, before, search, question }: Omit<ExploreChartProps, 'exploration'>) {
  const { groups, timeZone, from, to } = explored
  const look = search.look ?? looks[0]
  const markers = useFlagMarkers(question)
  const areShown = useMarkersShown()
  useShortcut({ keys: 'm', label: 'Flag changes', run: switchMarkers })
  const setScope = useSetScope()
  const { times, partial } = useMemo(() => exploredTimes({ groups }), [groups])
  const series = useMemo(() => exploredSeries({ groups, before, look }), [groups, before, look])
  return (
    <TimeChart
      label={`${measureLabel(search)} over time`}
      times={times}
      series={series}
      isStacked={look === 'stacked' && groups.length > 1}
      format={valueFormat(search)}
      markers={areShown ? markers : none}
      timeZone={timeZone}
      span={{ from: Date.parse(from), to: Date.parse(to) }}
      partial={partial}
      height={height}
      onSpan={(first, last) => setScope({ t: rangeOf({ from: first, to: last }) })}
    />
  )
}
