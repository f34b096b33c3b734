import type { ReplyOf } from '@telltale/core/contract/call'
import type { getSessionSeries } from '@telltale/core/contract/sessions'
import { useMemo } from 'react'
import type { Question } from '../../api/question.ts'
import { TimeChart } from '../../charts/time-chart.tsx'
import { useFlagMarkers } from '../../features/flags/use-flag-markers.ts'
import { useSetScope } from '../../shell/scope-context.ts'
import { countOf, countText } from '../../ui/text/measure-text.ts'

/** The axis of small counts would have fractional steps. */
function fewText(count: number): string {
  return count < 10 ? String(Math.round(count * 10) / 10) : countText(count)
}

type SessionsChartProps = { series: ReplyOf<typeof getSessionSeries>; question: Question }

/** Starts of the sessions, those with errors in red. Dragging selects a period. */
export function SessionsChart({ series: reply, question }: SessionsChartProps) {
  const { series, timeZone, sessions, withErrors } = reply
  const setScope = useSetScope()
  const changes = useFlagMarkers(question)
  const times = useMemo(() => series.map(({ at }) => Date.parse(at)), [series])
  const partial = useMemo(
    () => new Set(series.flatMap((point) => (point.partial ? [Date.parse(point.at)] : []))),
    [series],
  )
  const lines = useMemo(
    () => [
      {
        ...({ label: 'Sessions', color: 'line-strong', kind: 'bars' } as const),
        values: series.map((point) => point.sessions),
      },
      {
        ...({ label: 'With errors', color: 'bad-fill', kind: 'bars' } as const),
        values: series.map((point) => point.withErrors),
      },
    ],
    [series],
  )
  const signature = changes.map(({ at, label }) => `${at} ${label}`).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the signature represents the changes, which are a new array on every render.
  const markers = useMemo(() => changes, [signature])
  return (
    <TimeChart
      label={`${countOf(sessions, 'session')}, ${countText(withErrors)} of them with errors, by start time`}
      times={times}
      series={lines}
      format={fewText}
      markers={markers}
      partial={partial}
      span={{ from: Date.parse(reply.from), to: Date.parse(reply.to) }}
      height={96}
      timeZone={timeZone}
      onSpan={(from, to) => setScope({ t: `${new Date(from).toISOString()}..${new Date(to).toISOString()}` })}
    />
  )
}
