import { useMemo } from 'react'
import type { MeasuredPast, MeasureRule } from '../../api/alerts.ts'
import { TimeChart, type TimeSeries } from '../../charts/time-chart.tsx'
import { percentText, thingOf, windowNames } from '../../features/alerts/alert-words.ts'
import { useScope } from '../../shell/scope-context.ts'
import { measureLabel, valueFormat } from '../../ui/text/measure-words.ts'
import { Time } from '../../ui/text/time.tsx'

type PastProps = { past: MeasuredPast; rule: MeasureRule }

const firingsListed = 5

/** The last days as the rule evaluates them, and when it would have fired. */
export function Past({ past, rule }: PastProps) {
  const { environment } = useScope()
  const { points, firings, window } = past
  const { condition } = rule
  const times = useMemo(() => points.map(({ at }) => Date.parse(at)), [points])
  const isChange = condition.kind === 'change'
  const series = useMemo(() => seriesOf(points, isChange), [points, isChange])
  const label = isChange ? `Change of ${measureLabel(thingOf(rule))}` : measureLabel(thingOf(rule))
  const bound = isChange ? (condition.is === 'above' ? condition.by : -condition.by) : condition.value
  const format = isChange ? percentText : valueFormat(thingOf(rule))
  const latest = firings.slice(-firingsListed).reverse()
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-8">
      <p>
        {firings.length === 0
          ? 'It would not have fired'
          : `It would have fired ${timesText(firings.length)}`}{' '}
        since <Time at={past.from} />.
        {points.every(({ events }) => events === 0) && ' No matching events since then.'}
      </p>
      <TimeChart
        label={`${label} in windows of ${windowNames[window]}, and when it was over the limit`}
        times={times}
        series={series}
        format={format}
        boundary={{ value: bound, label: `${condition.is} ${format(bound)}` }}
        timeZone={environment.timeZone}
        height={180}
      />
      {latest.length > 0 && (
        <ul className="grid gap-2 text-text-2">
          {latest.map(({ from, to }) => (
            <li key={from}>
              <Time at={from} />{' '}
              {to === null ? (
                'until now'
              ) : (
                <>
                  until <Time at={to} />
                </>
              )}
            </li>
          ))}
          {firings.length > latest.length && <li>and {firings.length - latest.length} earlier</li>}
        </ul>
      )}
      <p className="text-12 text-text-3">
        Evaluated in consecutive windows of {windowNames[window]}; the alert itself is evaluated every minute.
      </p>
    </div>
  )
}

const timesText = (count: number) => (count === 1 ? 'once' : `${count} times`)

function seriesOf(points: MeasuredPast['points'], isChange: boolean): TimeSeries[] {
  const shown = points.map(({ value, change }) => (isChange ? change : value))
  return [
    {
      label: 'Within limit',
      color: 'accent',
      kind: 'bars',
      values: points.map(({ reading }, index) => (reading === 'past' ? null : (shown[index] ?? null))),
    },
    {
      label: 'Over limit',
      color: 'bad-fill',
      kind: 'bars',
      values: points.map(({ reading }, index) => (reading === 'past' ? (shown[index] ?? null) : null)),
    },
  ]
}
