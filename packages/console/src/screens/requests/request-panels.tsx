import type { ReactNode } from 'react'
import type { MeasuredRequest } from '../../api/requests.ts'
import type { StackedPanel } from '../../charts/stacked-row.tsx'
import { countText, durationText, shareText } from '../../ui/text/measure-text.ts'
import { stepNames, stepText } from '../../ui/text/step-words.ts'
import { Duration } from './duration.tsx'
import { rateText } from './request-numbers.tsx'

/** Counts from a response with fine steps, percentiles from one whose steps have enough requests. */
export function requestPanels(fine: MeasuredRequest, coarse: MeasuredRequest): StackedPanel[] {
  const { count, perMinute, failed, failedShare, sessions, step } = fine
  return [
    {
      id: 'count',
      label: 'Requests',
      kind: 'bars',
      format: countText,
      values: fine.series.map((point) => point.count),
      sentence: `${countText(count)} requests in ${countText(sessions)} sessions`,
      head: (
        <Head title="Requests" note={`${rateText(perMinute)} per minute, bar: ${stepText(step)}`}>
          {countText(count)}
        </Head>
      ),
    },
    {
      id: 'failed',
      label: 'Failed',
      kind: 'bars',
      format: countText,
      values: fine.series.map((point) => point.failed),
      sentence: `${countText(failed)} of them failed`,
      head: (
        <Head title="Failed" note={`${countText(failed)} of them`}>
          {failedShare === null ? '–' : shareText(failedShare)}
        </Head>
      ),
    },
    durationPanel('p75', coarse, fine),
    durationPanel('p95', coarse, fine),
  ]
}

type Level = 'p75' | 'p95'

function durationPanel(level: Level, coarse: MeasuredRequest, fine: MeasuredRequest): StackedPanel {
  const { p50, count } = fine
  const value = fine[level]
  return {
    id: level,
    label: `Duration ${level}`,
    kind: 'line',
    format: durationText,
    values: coarse.series.map((point) => point[level]),
    sentence: `duration ${level} ${value === null ? '(too few requests)' : durationText(value)}`,
    none: 'Too few requests per interval for a percentile',
    ...(coarse === fine ? {} : { steps: stepsOf(coarse) }),
    head: (
      <Head
        title="Duration"
        detail={level}
        note={level === 'p75' ? p50 !== null && `p50 ${durationText(p50)}` : `per ${stepNames[coarse.step]}`}
      >
        <Duration value={value} of={count} />
      </Head>
    ),
  }
}

export function stepsOf({ series }: MeasuredRequest) {
  return {
    times: series.map(({ at }) => Date.parse(at)),
    partial: new Set(series.flatMap(({ partial }, index) => (partial ? [index] : []))),
  }
}

type HeadProps = { title: string; detail?: string; note: ReactNode; children: ReactNode }

function Head({ title, detail, note, children }: HeadProps) {
  return (
    <div className="grid gap-2">
      <h3 className="flex items-baseline gap-6 font-medium">
        {title}
        {detail && <span className="font-regular text-11 text-text-3">{detail}</span>}
      </h3>
      <span className="font-medium text-22 tracking-[-.02em]">{children}</span>
      <span className="text-12 text-text-3">{note}</span>
    </div>
  )
}
