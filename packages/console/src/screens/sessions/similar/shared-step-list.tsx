import { useSyncExternalStore } from 'react'
import { lengthText } from '../../../ui/text/measure-text.ts'
import type { PairedPlayback } from './paired-playback.ts'
import type { SharedStep } from './shared-steps.ts'

type SharedStepListProps = {
  both: PairedPlayback
  steps: readonly SharedStep[]
  names: { left: string; right: string }
}

const shownAtMost = 300

/** Every shared step with its time in both sessions, and the difference. */
export function SharedStepList({ both, steps, names }: SharedStepListProps) {
  const { step } = useSyncExternalStore(both.subscribe, both.getState)
  if (steps.length === 0) return <p className="px-14 py-12 text-text-2">No pages or clicks in common.</p>
  return (
    <ol className="max-h-[360px] overflow-y-auto">
      {steps.slice(0, shownAtMost).map(({ title, kind, left, right }, index) => (
        <li key={`${left} ${right}`} className="border-line border-b last:border-b-0">
          <button
            type="button"
            onClick={() => both.goTo(index)}
            aria-current={index === step ? 'step' : undefined}
            className="grid w-full grid-cols-[minmax(0,1fr)_auto] gap-x-16 px-14 py-6 text-left -outline-offset-2 hover:bg-hover aria-[current]:bg-selected"
          >
            <span className="flex min-w-0 items-baseline gap-8">
              <span className="w-[44px] shrink-0 text-12 text-text-3">
                {kind === 'page' ? 'page' : 'click'}
              </span>
              <span className="truncate" title={title}>
                {title}
              </span>
            </span>
            <span className="whitespace-nowrap text-12 text-text-2 tabular-nums">
              {lengthText(left)} with {names.left}, {lengthText(right)} with {names.right}
            </span>
          </button>
        </li>
      ))}
    </ol>
  )
}
