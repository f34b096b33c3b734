import { useCallback, useMemo } from 'react'
import type { Question } from '../../api/question.ts'
import { StackedChart } from '../../charts/stacked-chart.tsx'
import type { StackedPanel } from '../../charts/stacked-row.tsx'
import { useSetScope } from '../../shell/scope-context.ts'
import { rangeOf } from '../../shell/time-range.ts'
import { FlagChangeCard } from '../flags/flag-change-card.tsx'
import { type FlagChangeMarker, useFlagMarkers } from '../flags/use-flag-markers.ts'
import { type StepSeries, stepsOfSeries } from './step-series.ts'

type RateChartsProps = {
  /** What the charts are about. */
  name: string
  measured: StepSeries & { from: string; to: string; timeZone: string }
  panels: readonly StackedPanel[]
  question: Question
}

/** Rate, failures and duration over the same period, with flag changes and deploys. */
export function RateCharts({ name, measured, panels, question }: RateChartsProps) {
  const setScope = useSetScope()
  const changes = useFlagMarkers(question)
  const { times, partial } = useMemo(() => stepsOfSeries(measured), [measured])
  const choose = useCallback((from: number, to: number) => setScope({ t: rangeOf({ from, to }) }), [setScope])
  const card = useCallback((markers: readonly FlagChangeMarker[]) => <FlagChangeCard markers={markers} />, [])

  return (
    <StackedChart
      label={`${name}: ${panels.map(({ sentence }) => sentence).join('; ')}`}
      from={Date.parse(measured.from)}
      to={Date.parse(measured.to)}
      times={times}
      partial={partial}
      panels={panels}
      changes={changes}
      changeCard={card}
      timeZone={measured.timeZone}
      onSpan={choose}
    />
  )
}
