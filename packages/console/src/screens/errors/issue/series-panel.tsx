import { use, useMemo } from 'react'
import type { Deploy } from '../../../api/deploys.ts'
import type { ShownIssue } from '../../../api/issues.ts'
import { TimeChart } from '../../../charts/time-chart.tsx'
import { FlagLink } from '../../../features/flags/flag-link.tsx'
import { type FlagChangeMarker, useFlagMarkers } from '../../../features/flags/use-flag-markers.ts'
import { useSetScope } from '../../../shell/scope-context.ts'
import type { SearchQuestion } from '../../../shell/use-question.ts'
import { Panel } from '../../../ui/panel.tsx'
import { countOf, countText } from '../../../ui/text/measure-text.ts'
import { Time, TimeZone } from '../../../ui/text/time.tsx'

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

/** Counts are whole: no axis labels between integers. */
const wholeText = (count: number) => (Number.isInteger(count) ? countText(count) : '')

/** Occurrences over the period, with flag changes. */
export function SeriesPanel({ issue, requested }: { issue: ShownIssue; requested: SearchQuestion }) {
  const timeZone = use(TimeZone)
  const setScope = useSetScope()
  const markers = useFlagMarkers(requested.question)
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
    <Panel title="Events" note={stepWords[step]} footer={shown.length > 0 && <ChangeList markers={shown} />}>
      <TimeChart
        label={`${countOf(issue.events, 'event')}, at most ${countText(most)} ${stepWords[step] ?? ''}`}
        times={times}
        series={series}
        format={wholeText}
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

/** The legend of the pennants. */
function ChangeList({ markers }: { markers: readonly FlagChangeMarker[] }) {
  return (
    <details>
      <summary className="min-h-24 cursor-pointer py-4">
        {countOf(markers.length, 'flag change or deploy', 'flag changes and deploys')} in this time range
      </summary>
      <ol className="grid gap-4 pb-4">
        {markers.map(({ at, change, deploy, label }, index) => (
          <li key={`${at} ${label}`} className="flex min-w-0 items-baseline gap-8">
            <span className="w-20 shrink-0 text-right font-medium">{index + 1}</span>
            <span className="min-w-0 flex-1">
              {deploy ? (
                <DeployedVersion deploy={deploy} />
              ) : (
                <>
                  <FlagLink flag={change.flag} /> {changeWords[change.kind]} by {change.actor.name}
                </>
              )}
            </span>
            <Time at={(deploy ?? change).at} />
          </li>
        ))}
      </ol>
    </details>
  )
}

function DeployedVersion({ deploy: { version, author } }: { deploy: Deploy }) {
  return (
    <>
      <code>{version}</code> deployed{author !== null && ` by ${author}`}
    </>
  )
}

const changeWords = {
  'turned-on': 'turned on',
  'turned-off': 'turned off',
  changed: 'changed',
  'rolled-back': 'rolled back',
  stage: 'advanced a stage',
  passed: 'passed',
}
