import { Notice } from '../../../ui/notice.tsx'
import type { DraftFault } from './faults.ts'
import type { Refused } from './use-saving.ts'

const shownFaults = 5

/** What stands in the way, in one place. Each fault stands at its part too. */
export function FaultsNotice({
  faults,
  refused,
}: {
  faults: readonly DraftFault[]
  refused: Refused | undefined
}) {
  const messages = [...new Set(faults.map(({ message }) => message))]
  const hidden = messages.length - shownFaults
  return (
    <Notice
      title={refused?.problem.title ?? 'Incomplete'}
      detail={
        <ul>
          {messages.slice(0, shownFaults).map((message) => (
            <li key={message}>{message}</li>
          ))}
          {hidden > 0 && <li>and {hidden} more</li>}
        </ul>
      }
      requestId={refused?.problem.requestId}
    />
  )
}
