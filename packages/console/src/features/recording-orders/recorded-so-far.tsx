import { useQuery } from '@tanstack/react-query'
import {
  type RecordingPart,
  type RecordingSubject,
  recordingOrdersQuery,
} from '../../api/recording-orders.ts'

type RecordedSoFarProps = {
  project: string
  env: string
  kind: RecordingSubject['kind']
  /** Of the rollout, the split or the issue. */
  id: string
}

/** How many ordered recordings there are, on the page of what they are for. Renders nothing without an order. */
export function RecordedSoFar({ project, env, kind, id }: RecordedSoFarProps) {
  const orders = useQuery(recordingOrdersQuery(project, env))
  const found = orders.data?.items.find((item) => item.kind === kind && item.id === id)
  if (found === undefined || found.orders.length === 0) return null
  const parts = wholeParts(found)
  return (
    <p className="text-pretty text-text-2">
      Recording ordered:{' '}
      {parts.map((part, index) => (
        <span key={part.variation ?? part.page ?? ''}>
          {index > 0 && ', '}
          {part.replay.recorded} of {part.replay.wanted} replays of <code>{part.variation ?? part.page}</code>
        </span>
      ))}{' '}
      in the last 24 h.
    </p>
  )
}

/** Whole arms; of an issue, its pages. */
function wholeParts({ kind, parts }: RecordingSubject): RecordingPart[] {
  return parts.filter(
    ({ page, device, version, replay }) =>
      replay.wanted > 0 && (kind === 'issue' || (page ?? device ?? version) === null),
  )
}
