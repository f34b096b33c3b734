import { useQuery } from '@tanstack/react-query'
import { type EnvironmentRef, outcomesQuery } from '../../../api/intake.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { boundsOf } from '../../../shell/time-range.ts'
import { Panel } from '../../../ui/panel.tsx'
import { Async, Empty } from '../../../ui/states.tsx'
import { wordsOf } from './outcome-words.ts'
import { type OutcomeSums, sumOutcomes } from './sum-outcomes.ts'

export function DroppedPanel({ place }: { place: EnvironmentRef }) {
  const { range } = useScope()
  const outcomes = useQuery(outcomesQuery(place, { range, bounds: () => boundsOf(range, Date.now()) }))
  const sums = outcomes.data && sumOutcomes(outcomes.data.outcomes)

  return (
    <Panel title="Dropped events" note={sums && noteOf(sums)} flush>
      <Async of={outcomes}>
        {({ outcomes: found }) => <Reasons sums={sumOutcomes(found)} hasAny={found.length > 0} />}
      </Async>
    </Panel>
  )
}

const plain = new Intl.NumberFormat('en')

function noteOf({ accepted, repeated }: OutcomeSums): string {
  const again = repeated > 0 ? `; ${plain.format(repeated)} duplicate batches` : ''
  return `${plain.format(accepted)} events stored in this time range${again}`
}

function Reasons({ sums: { accepted, dropped }, hasAny }: { sums: OutcomeSums; hasAny: boolean }) {
  if (!hasAny) {
    return (
      <Empty title="No telemetry in this time range">
        Choose a longer time range, or connect an application.
      </Empty>
    )
  }
  if (dropped.length === 0)
    return <Empty title="Nothing was dropped">All received telemetry is stored.</Empty>

  const total = accepted + dropped.reduce((sum, { count }) => sum + count, 0)
  return (
    <table className="w-full border-collapse text-left">
      <thead className="text-12 text-text-3">
        <tr>
          <th className="px-14 py-6 font-regular">Reason</th>
          <th className="px-14 py-6 font-regular max-wide:hidden">Type</th>
          <th className="px-14 py-6 text-right font-regular">Events</th>
          <th className="px-14 py-6 text-right font-regular">Share</th>
        </tr>
      </thead>
      <tbody>
        {dropped.map(({ reason, kinds, count }) => (
          <tr key={reason} className="border-line border-t align-top">
            <td className="px-14 py-8">
              <span className="block">{wordsOf(reason).label}</span>
              <span className="block text-pretty text-12 text-text-3">{wordsOf(reason).hint}</span>
            </td>
            <td className="px-14 py-8 text-text-2 max-wide:hidden">
              {kinds.map(({ kind, count: of }) => `${kind} ${plain.format(of)}`).join(', ')}
            </td>
            <td className="px-14 py-8 text-right tabular-nums">{plain.format(count)}</td>
            <td className="whitespace-nowrap px-14 py-8 text-right tabular-nums">
              {shareText(count / total)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function shareText(share: number): string {
  return share < 0.001 ? '< 0.1\u00a0%' : `${(share * 100).toFixed(1)}\u00a0%`
}
