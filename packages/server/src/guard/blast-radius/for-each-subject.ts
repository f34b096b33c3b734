// Visits the users of a page with the data of both stores: identities first, then users known only by their
// sessions. Yields so that other requests are served in between.

import type { Subject } from '@telltale/core/changes/blast-radius'
import type { Grant } from '@telltale/core/rights'
import type { EnvironmentRow } from '../../organisation/environments/queries.ts'
import { createYielder } from '../../platform/process/create-yielder.ts'
import { traitsToEvaluate } from '../../release/identities/visible-traits.ts'
import type { SeenIdentity, SessionsOfOne } from './queries.ts'

export interface People {
  identities: readonly SeenIdentity[]
  sessions: readonly SessionsOfOne[]
  /** Of users who were not seen as identities in the period but are stored as such. */
  findTraits(keys: readonly string[]): Promise<ReadonlyMap<string, Record<string, unknown>>>
}

/** One step can evaluate many flags. */
const stepsPerLook = 8

export async function forEachSubject(
  { environment, grant }: { environment: EnvironmentRow; grant: Grant },
  { identities, sessions, findTraits }: People,
  visit: (subject: Subject) => void,
): Promise<void> {
  const yieldIfDue = createYielder(stepsPerLook)
  const left = new Map<string, SessionsOfOne>()
  for (const row of sessions) {
    left.set(row.subject, row)
    const pause = yieldIfDue()
    if (pause !== undefined) await pause
  }
  for (const { targetingKey, traits: own } of identities) {
    const row = left.get(targetingKey)
    if (row !== undefined) left.delete(targetingKey)
    visit(subjectOf(targetingKey, traitsToEvaluate(environment, own, grant), row))
    const pause = yieldIfDue()
    if (pause !== undefined) await pause
  }
  const traits = await findTraits([...left.keys()])
  for (const [targetingKey, row] of left) {
    visit(subjectOf(targetingKey, traitsToEvaluate(environment, traits.get(targetingKey) ?? {}, grant), row))
    const pause = yieldIfDue()
    if (pause !== undefined) await pause
  }
}

function subjectOf(
  targetingKey: string,
  traits: Record<string, unknown>,
  row: SessionsOfOne | undefined,
): Subject {
  const context: Record<string, unknown> = { ...traits, targetingKey }
  if (row === undefined) {
    return { targetingKey, context, sessions: 0, sessionsWithErrors: 0, device: '', read: [] }
  }
  if (row.anonymous_id !== '' && !('anonymousId' in context)) context.anonymousId = row.anonymous_id
  return {
    targetingKey,
    context,
    sessions: row.sessions,
    sessionsWithErrors: row.with_errors,
    device: row.device,
    read: row.reads,
  }
}
