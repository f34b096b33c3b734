import { useQuery } from '@tanstack/react-query'
import { type Night, nightsQuery } from '../../../api/retention.ts'
import { Async } from '../../../ui/states.tsx'
import { bytesText, countOf, durationText } from '../../../ui/text/measure-text.ts'
import { TimeUntil } from '../../../ui/text/time.tsx'
import { dayText, kindWords } from './kind-words.ts'

/** Data removed by the last nightly cleanups. */
export function NightList({ place }: { place: { project: string; env: string } }) {
  const nights = useQuery(nightsQuery(place))
  return (
    <Async of={nights}>
      {({ next, nights: found }) => (
        <div className="mt-16 grid gap-8 border-line border-t pt-12">
          <h3 className="font-medium">
            Nightly cleanup{' '}
            <span className="font-regular text-12 text-text-3">
              Next cleanup: <TimeUntil at={next} />
            </span>
          </h3>
          {found.length === 0 ? (
            <p className="text-text-2">No cleanups yet.</p>
          ) : (
            <ul aria-label="Nights" className="grid gap-6">
              {found.map((one) => (
                <li key={one.night} className="flex flex-wrap gap-x-12 gap-y-2">
                  <span className="min-w-96 tabular-nums">{dayText(one.night)}</span>
                  <span>{removedText(one)}</span>
                  <span className="text-text-3">{stateText(one)}</span>
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </Async>
  )
}

const reasonWords: Readonly<Record<Night['removed'][number]['reason'], string>> = {
  days: '',
  budget: ' over budget',
  deleted: ' of the deleted environment',
}

function removedText({ removed }: Night): string {
  if (removed.length === 0) return 'Nothing'
  return removed
    .map(
      ({ kind, reason, rows, bytes }) =>
        `${kindWords[kind].label} ${countOf(rows, 'row')}, ${bytesText(bytes)}${reasonWords[reason]}`,
    )
    .join('; ')
}

function stateText({ state, startedAt, endedAt, reason }: Night): string {
  const took = endedAt === null ? '' : ` in ${durationText(Date.parse(endedAt) - Date.parse(startedAt))}`
  if (state === 'done') return `Done${took}`
  if (state === 'running') return 'Running, or waiting for the telemetry store'
  if (state === 'unfinished') return `Out of time${took}: continues the next night`
  if (state === 'held') return `Nothing deleted: ${reason ?? 'the clock jumped'}`
  return `A part failed: ${reason ?? 'see the server log'}. Retried the next night`
}
