import { useQuery } from '@tanstack/react-query'
import type { LogLevel } from '@telltale/core/otlp-names'
import { useMemo } from 'react'
import { logLevelsQuery } from '../../api/logs.ts'
import type { Question } from '../../api/question.ts'
import { TimeChart, type TimeSeries } from '../../charts/time-chart.tsx'
import { useFlagMarkers } from '../../features/flags/use-flag-markers.ts'
import { useSetScope } from '../../shell/scope-context.ts'
import { rangeOf } from '../../shell/time-range.ts'
import { Panel } from '../../ui/panel.tsx'
import { Async, Skeleton } from '../../ui/states.tsx'
import { countText } from '../../ui/text/measure-text.ts'

const colors: Readonly<Record<LogLevel, TimeSeries['color']>> = {
  fatal: 'v4',
  error: 'bad-fill',
  warn: 'v5',
  info: 'text-3',
  debug: 'line-strong',
  trace: 'v2',
  unspecified: 'v0',
}

/** Log records over time, stacked by level. Nothing when there are none. */
export function LevelChart({ question }: { question: Question }) {
  const levels = useQuery(logLevelsQuery(question))
  const markers = useFlagMarkers(question)
  const setScope = useSetScope()
  const data = levels.data
  const chart = useMemo(() => {
    const steps = data?.steps ?? []
    return {
      times: steps.map(({ at }) => Date.parse(at)),
      partial: new Set(steps.flatMap(({ at, partial }) => (partial ? [Date.parse(at)] : []))),
      series: (data?.levels ?? []).map(
        ({ level, counts }): TimeSeries => ({
          label: level === 'unspecified' ? 'none' : level,
          color: colors[level],
          values: counts,
          kind: 'bars',
        }),
      ),
    }
  }, [data])
  if (data?.levels.length === 0) return null
  return (
    <Panel title="Records by level">
      <Async of={levels} loading={<Skeleton rows={3} label="Loading the levels" />}>
        {({ levels: found, timeZone, from, to }) => (
          <TimeChart
            {...chart}
            label={`Log records over time: ${found.map(({ level, total }) => `${countText(total)} ${level}`).join(', ')}`}
            format={countText}
            timeZone={timeZone}
            span={{ from: Date.parse(from), to: Date.parse(to) }}
            markers={markers}
            isStacked
            onSpan={(begin, end) => setScope({ t: rangeOf({ from: begin, to: end }) })}
          />
        )}
      </Async>
    </Panel>
  )
}
