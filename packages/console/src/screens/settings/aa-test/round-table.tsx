import type { AaTestMetric, PresentRound } from '../../../api/aa-test.ts'
import { ChangeInterval } from '../../../charts/change-interval.tsx'
import { PlainTable } from '../../../ui/table/plain-table.tsx'
import { metricLabel } from '../../../ui/text/effect-text.ts'
import { countText } from '../../../ui/text/measure-text.ts'
import { differenceOf, differenceText, stateText } from './aa-test-words.ts'

const widest = 1
const smallest = 0.1

/** Each metric with its interval, which should contain zero. */
export function RoundTable({ round }: { round: PresentRound }) {
  const reach = reachOf(round.metrics)
  return (
    <PlainTable
      label={`Metrics of round ${round.round}`}
      rows={round.metrics}
      rowId={({ metric }) => metric}
      columns={[
        {
          id: 'metric',
          header: 'Metric',
          cell: (metric) => (
            <span className="block truncate" title={metricLabel(metric)}>
              {metricLabel(metric)}
            </span>
          ),
        },
        { id: 'state', header: 'Should include zero', cell: (metric) => <State metric={metric} /> },
        {
          id: 'interval',
          header: 'Second half vs first',
          cell: (metric) => <Interval metric={metric} reach={reach} />,
        },
        { id: 'text', header: 'Change', cell: (metric) => differenceText(metric), align: 'end' },
        {
          id: 'people',
          header: 'Users',
          cell: ({ units }) => `${countText(units.control)} / ${countText(units.treatment)}`,
          align: 'end',
        },
      ]}
    />
  )
}

function State({ metric }: { metric: AaTestMetric }) {
  const tone =
    metric.state === 'left' ? 'font-strong text-warn' : metric.state === 'holds' ? '' : 'text-text-3'
  return <span className={tone}>{stateText(metric)}</span>
}

function Interval({ metric, reach }: { metric: AaTestMetric; reach: number }) {
  const change = differenceOf(metric)
  if (change === undefined || !Number.isFinite(change.est)) return null
  const tone = metric.state !== 'left' ? 'same' : change.est > 0 ? 'more' : 'less'
  return (
    <ChangeInterval
      change={change.est}
      lower={change.lo}
      upper={change.hi}
      reach={reach}
      label={`${metricLabel(metric)}: ${differenceText(metric)}`}
      tone={tone}
    />
  )
}

/** Wide enough for most intervals; wider ones are cut at the edge. */
function reachOf(metrics: readonly AaTestMetric[]): number {
  const ends = metrics
    .flatMap((metric) => differenceOf(metric) ?? [])
    .map(({ lo, hi }) => Math.max(Math.abs(lo), Math.abs(hi)))
    .filter(Number.isFinite)
    .sort((one, other) => one - other)
  return Math.min(widest, Math.max(smallest, ends[Math.floor(ends.length / 2)] ?? smallest))
}
