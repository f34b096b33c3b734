// The people of a part, one after the other, from what both stores know of them: those with a name first, then those known by
// their sessions alone. Requests are answered in between.

import type { Subject } from '@telltale/core/changes/blast-radius'
import { createBreath } from '../delivery/breathe.ts'
import type { EnvironmentRow } from '../environments/queries.ts'
import { storedTraits } from '../identities/visible-traits.ts'
import type { SeenIdentity, SessionsOfOne } from './queries.ts'

export interface People {
  identities: readonly SeenIdentity[]
  sessions: readonly SessionsOfOne[]
  /** Of those among the sessions that are no identities of the period. */
  traits: ReadonlyMap<string, Record<string, unknown>>
}

/** One step can be the evaluation of many flags. */
const stepsPerLook = 8

export async function forEachSubject(
  environment: EnvironmentRow,
  { identities, sessions, traits }: People,
  visit: (subject: Subject) => void,
): Promise<void> {
  const breathe = createBreath(stepsPerLook)
  const left = new Map<string, SessionsOfOne>()
  for (const row of sessions) {
    left.set(row.subject, row)
    const pause = breathe()
    if (pause !== undefined) await pause
  }
  for (const { targetingKey, traits: own } of identities) {
    const context = { ...storedTraits(environment, own), targetingKey }
    const row = left.get(targetingKey)
    left.delete(targetingKey)
    visit(row === undefined ? { ...unheard, targetingKey, context } : heard(row, context))
    const pause = breathe()
    if (pause !== undefined) await pause
  }
  for (const [targetingKey, row] of left) {
    visit(heard(row, { ...storedTraits(environment, traits.get(targetingKey) ?? {}), targetingKey }))
    const pause = breathe()
    if (pause !== undefined) await pause
  }
}

const unheard = { sessions: 0, sessionsWithErrors: 0, device: '', read: new Set<string>() }

function heard(row: SessionsOfOne, context: Subject['context']): Subject {
  const { subject: targetingKey, anonymous_id: anonymousId } = row
  return {
    targetingKey,
    context: 'anonymousId' in context || anonymousId === '' ? context : { ...context, anonymousId },
    sessions: row.sessions,
    sessionsWithErrors: row.with_errors,
    device: row.device,
    read: new Set(row.reads),
  }
}
