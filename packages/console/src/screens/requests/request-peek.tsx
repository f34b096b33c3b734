import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Question } from '../../api/question.ts'
import { type MeasuredRequest, type RequestRow, requestQuery } from '../../api/requests.ts'
import { TimeChart, type TimeSeries } from '../../charts/time-chart.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Peek } from '../../ui/overlay/peek.tsx'
import { Async } from '../../ui/states.tsx'
import { countText } from '../../ui/text/measure-text.ts'
import { RequestNumbers } from './request-numbers.tsx'
import { StatusBars } from './status-bars.tsx'

type RequestPeekProps = { row: RequestRow; question: Question; onClose: () => void }

export function RequestPeek({ row, question, onClose }: RequestPeekProps) {
  const { project } = useScope()
  const { method, host, endpoint } = row
  const measured = useQuery(requestQuery(question, { method, host, endpoint }))
  return (
    <Peek
      title={<span className="font-code text-12">{`${method} ${endpoint}`.trim()}</span>}
      open={
        <Link
          to="/p/$project/requests/$endpoint"
          params={{ project, endpoint }}
          search={({ q }) => ({ q, method, host })}
          className={buttonClass('normal', 'small')}
        >
          Open
        </Link>
      }
      onClose={onClose}
    >
      <Async of={measured}>
        {(request) => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-16">
            <RequestNumbers request={request} />
            <CountChart request={request} />
            <section className="grid gap-8">
              <h3 className="font-strong">Status codes</h3>
              <StatusBars request={request} />
            </section>
          </div>
        )}
      </Async>
    </Peek>
  )
}

/** Requests over time and their failures, in the space of a peek. */
function CountChart({ request }: { request: MeasuredRequest }) {
  const { series, endpoint, timeZone } = request
  const chart = useMemo(
    () => ({
      times: series.map(({ at }) => Date.parse(at)),
      partial: new Set(series.flatMap(({ at, partial }) => (partial ? [Date.parse(at)] : []))),
      series: [
        { label: 'Requests', color: 'text-3', values: series.map(({ count }) => count), kind: 'bars' },
        { label: 'Failed', color: 'bad-fill', values: series.map(({ failed }) => failed), kind: 'bars' },
      ] satisfies TimeSeries[],
    }),
    [series],
  )
  return (
    <TimeChart
      {...chart}
      label={`Requests to ${endpoint} over time, and how many of them failed`}
      format={countText}
      timeZone={timeZone}
    />
  )
}
