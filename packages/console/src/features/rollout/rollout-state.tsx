import type { RolloutRow } from '../../api/rollouts.ts'
import { type RolloutTone, stateWords, toneOf } from './rollout-words.ts'

const tones: Record<RolloutTone, { text: string; dot: string }> = {
  live: { text: 'text-text', dot: 'bg-ok-fill' },
  ok: { text: 'text-ok', dot: 'bg-ok-fill' },
  warn: { text: 'text-warn', dot: 'bg-warn-fill' },
  bad: { text: 'text-bad', dot: 'bg-bad-fill' },
  idle: { text: 'text-text-2', dot: 'bg-control' },
}

/** The state of a rollout as one word. */
export function RolloutState({ state }: { state: RolloutRow['state'] }) {
  const { text, dot } = tones[toneOf(state)]
  return (
    <span className={`inline-flex items-center gap-6 whitespace-nowrap font-medium ${text}`}>
      <span aria-hidden="true" className={`size-8 shrink-0 rounded-round ${dot}`} />
      {stateWords[state]}
    </span>
  )
}
