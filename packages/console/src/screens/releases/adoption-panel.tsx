import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Question } from '../../api/question.ts'
import { type Adoption, adoptionQuery } from '../../api/releases.ts'
import { TimeChart, type TimeSeries } from '../../charts/time-chart.tsx'
import { useFlagMarkers } from '../../features/flags/use-flag-markers.ts'
import { useSetScope } from '../../shell/scope-context.ts'
import { rangeOf } from '../../shell/time-range.ts'
import { Panel } from '../../ui/panel.tsx'
import { Async } from '../../ui/states.tsx'
import { countOf, shareText } from '../../ui/text/measure-text.ts'

const colors = ['v1', 'v2', 'v3', 'v4', 'v5', 'v0'] as const

/** The share of each version over time. */
export function AdoptionPanel({ question }: { question: Question }) {
  const adoption = useQuery(adoptionQuery(question))
  return (
    <Panel title="Adoption" note="share of the sessions that report a version">
      <Async of={adoption} isEmpty={({ versions }) => versions.length === 0} empty={<None />}>
        {(reply) => <AdoptionChart adoption={reply} question={question} />}
      </Async>
    </Panel>
  )
}

function None() {
  return <p className="py-12 text-text-2">No sessions in this time range.</p>
}

function AdoptionChart({ adoption, question }: { adoption: Adoption; question: Question }) {
  const { versions, series, timeZone, from, to } = adoption
  const setScope = useSetScope()
  const markers = useFlagMarkers(question)
  const times = useMemo(() => series.map(({ at }) => Date.parse(at)), [series])
  const partial = useMemo(
    () => new Set(series.flatMap((point) => (point.partial ? [Date.parse(point.at)] : []))),
    [series],
  )
  const lines = useMemo(
    (): TimeSeries[] =>
      versions.map((label, index) => ({
        label,
        color: colors[index] ?? 'text-3',
        values: series.map(({ sessions, all }) => (all === 0 ? null : (sessions[index] ?? 0) / all)),
      })),
    [versions, series],
  )
  return (
    <TimeChart
      label={`Adoption of ${countOf(versions.length, 'version')} over time: ${versions.join(', ')}`}
      times={times}
      series={lines}
      format={shareText}
      markers={markers}
      partial={partial}
      span={{ from: Date.parse(from), to: Date.parse(to) }}
      height={140}
      timeZone={timeZone}
      onSpan={(begin, end) => setScope({ t: rangeOf({ from: begin, to: end }) })}
    />
  )
}
