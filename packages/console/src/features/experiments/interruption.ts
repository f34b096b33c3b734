// Why an experiment no longer gets users.

import type { Experiment } from '../../api/experiments.ts'

export interface Interruption {
  title: string
  detail: string
}

/** Undefined if it is not interrupted. An ended one keeps its results whatever happens to the flag. */
export function interruptionOf(
  experiment: Pick<Experiment, 'state' | 'flagArchived' | 'splitRemoved' | 'flagOff' | 'goneVariations'>,
): Interruption | undefined {
  const { state, flagArchived, splitRemoved, flagOff, goneVariations } = experiment
  if (state === 'ended') return undefined
  if (flagArchived)
    return {
      title: 'The flag is archived',
      detail:
        state === 'draft'
          ? 'The experiment cannot start. Restore the flag, or delete the draft.'
          : 'No new users take part. End the experiment, or restore the flag.',
    }
  if (splitRemoved)
    return {
      title: 'The flag no longer has this split',
      detail:
        'It was removed from its targeting, so no new users take part. End the experiment, or restore the split from the history of the flag.',
    }
  if (flagOff)
    return {
      title: 'The flag is off',
      detail: 'Everyone gets its off variation, so no new users take part until it is on again.',
    }
  if (goneVariations.length === 0) return undefined
  return {
    title: `No new users get ${goneVariations.join(', ')}`,
    detail:
      'Its weight is zero, or it was removed from the split. Its users until then still count. End the experiment, or restore the weight.',
  }
}
