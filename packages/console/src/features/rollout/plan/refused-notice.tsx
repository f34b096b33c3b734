import type { Problem } from '../../../api/problem.ts'
import type { RolloutDetail } from '../../../api/rollouts.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'

type RefusedProps = {
  problem: Problem
  /** It was saved, but not started. */
  isKept: boolean
  onTake: (theirs: RolloutDetail) => void
}

/** The server's message, if no field shows it. */
export function RefusedNotice({ problem, isKept, onTake }: RefusedProps) {
  const { current, title, detail, requestId } = problem
  if (problem.is('version-conflict') && isRollout(current)) {
    return (
      <Notice
        title="Someone else changed this draft"
        detail="Your version is still here, not saved."
        action={<Button onClick={() => onTake(current)}>Use theirs</Button>}
      />
    )
  }
  const kept = isKept ? 'Your draft is kept.' : ''
  const explanation = problem.errors.length > 0 ? 'See the fields below.' : (detail ?? '')
  return <Notice title={title} detail={`${explanation} ${kept}`} requestId={requestId} />
}

/** The server sends the response it would have given. */
function isRollout(value: unknown): value is RolloutDetail {
  return (
    typeof value === 'object' &&
    value !== null &&
    'turn' in value &&
    'stages' in value &&
    Array.isArray(value.stages) &&
    'metrics' in value
  )
}
