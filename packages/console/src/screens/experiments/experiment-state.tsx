import type { Experiment } from '../../api/experiments.ts'
import { stateWords } from './experiment-words.ts'

const dots = { draft: 'bg-control', running: 'bg-ok-fill', ended: 'bg-control' } as const

/** The state of an experiment as one word. */
export function ExperimentState({ state }: { state: Experiment['state'] }) {
  return (
    <span
      className={`inline-flex items-center gap-6 whitespace-nowrap font-medium ${state === 'running' ? '' : 'text-text-2'}`}
    >
      <span aria-hidden="true" className={`size-8 shrink-0 rounded-round ${dots[state]}`} />
      {stateWords[state]}
    </span>
  )
}
