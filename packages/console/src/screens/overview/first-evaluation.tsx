import type { UseQueryResult } from '@tanstack/react-query'
import type { FirstEvaluation as Found } from '../../api/first-evaluation.ts'
import { Notice } from '../../ui/notice.tsx'
import { TimeAgo } from '../../ui/time.tsx'

/** Waits for the first evaluation and says which flag it was. */
export function FirstEvaluation({ of }: { of: UseQueryResult<Found> }) {
  const evaluated = of.data?.evaluated
  return (
    <div role="status" className="flex items-center gap-12 rounded-panel border border-line px-12 py-10">
      <Dot isLive={!evaluated && !of.error} isSeen={evaluated !== undefined} />
      {evaluated ? (
        <p className="min-w-0 flex-1 text-pretty">
          <b className="font-medium">Evaluations arrive.</b>{' '}
          <code className="whitespace-normal [overflow-wrap:anywhere]">{evaluated.flag}</code> was evaluated{' '}
          <TimeAgo at={evaluated.at} />.
        </p>
      ) : (
        <p className="min-w-0 flex-1 text-pretty text-text-2">
          <b className="font-medium text-text">Waiting for the first evaluation.</b>{' '}
          {of.data?.hasFlags === false
            ? 'Make a flag first: without one there is nothing to evaluate.'
            : 'Open your application with the code above; this changes by itself, within seconds.'}
        </p>
      )}
      {of.error && <Notice tone="warn" title="The server does not answer; it is asked again." />}
    </div>
  )
}

function Dot({ isLive, isSeen }: { isLive: boolean; isSeen: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={`size-8 shrink-0 rounded-round ${isSeen ? 'bg-ok-fill' : 'bg-control'} ${isLive ? 'animate-live motion-reduce:animate-none' : ''}`}
    />
  )
}
