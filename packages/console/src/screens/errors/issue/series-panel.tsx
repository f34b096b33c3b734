import { use, useMemo } from 'react'
import type { ShownIssue } from '../../../api/issues.ts'
import { TimeChart } from '../../../charts/time-chart.tsx'
import { useSetScope } from '../../../shell/scope-context.ts'
import { useFlagMarkers } from '../../../shell/use-flag-markers.ts'
import type { AskedQuestion } from '../../../shell/use-question.ts'
import { countOf, countText } from '../../../ui/measure-text.ts'
import { Panel } from '../../../ui/panel.tsx'
import { TimeZone } from '../../../ui/time.tsx'

const stepWords: Readonly<Record<string, string>> = {
  '1m': 'per minute',
  '5m': 'in 5 minutes',
  '15m': 'in 15 minutes',
  '1h': 'per hour',
  '3h': 'in 3 hours',
  '6h': 'in 6 hours',
  '1d': 'per day',
  '7d': 'per week',
}

/** How often it happened over the period, with what was changed in flags meanwhile. */
export function SeriesPanel({ issue, asked }: { issue: ShownIssue; asked: AskedQuestion }) {
  const timeZone = use(TimeZone)
  const setScope = useSetScope()
  const markers = useFlagMarkers(asked.question)
  const { points, step, from, to } = issue
  const times = useMemo(() => points.map(({ at }) => Date.parse(at)), [points])
  const series = useMemo(
    () => [
      {
        label: 'Events',
        color: 'bad-fill' as const,
        kind: 'bars' as const,
        values: points.map((one) => one.events),
      },
    ],
    [points],
  )
  const [first, last] = [Date.parse(from), Date.parse(to)]
  const most = Math.max(0, ...points.map(({ events }) => events))
  const shown = markers.filter(({ at }) => at >= first && at <= last)

  return (
    <Panel title="Events" note={stepWords[step]}>
      <TimeChart
        label={`${countOf(issue.events, 'event')}, at most ${countText(most)} ${stepWords[step] ?? ''}`}
        times={times}
        series={series}
        format={countText}
        markers={shown}
        timeZone={timeZone}
        height={120}
        onSpan={(begin, end) =>
          setScope({ t: `${new Date(begin).toISOString()}..${new Date(end).toISOString()}` })
        }
      />
    </Panel>
  )
}
