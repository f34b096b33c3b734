// How the end of a holdout is named.

import type { Holdout } from '../../../api/holdouts.ts'
import { readDays } from '../experiment-form.ts'
import type { Duration } from './duration-fields.tsx'

export const endChoices: Record<Holdout['whenOver'], string> = {
  continue: 'Continue until a member ends it',
  end: 'End and keep the results',
  repeat: 'End, and start the next with other users',
}

export const endFacts: Record<Holdout['whenOver'], string> = {
  continue: 'continues until a member ends it',
  end: 'ends, and keeps its results',
  repeat: 'ends, and the next starts with other users',
}

/** An end needs a date. */
export function readDuration({ days, whenOver }: Duration): ReturnType<typeof readDays> {
  const read = readDays(days)
  if (read.fault !== undefined || read.value !== undefined || whenOver === 'continue') return read
  return { ...read, fault: 'Enter the days after which it ends.' }
}
