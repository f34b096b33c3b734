import type { ChangeContext, EntityChange } from '../../platform/engines/postgres/change.ts'
import { personOf } from './begin-anew.ts'
import { carryOut } from './carry-out.ts'
import { findRunning } from './queries.ts'
import { turnOfFlag } from './stop-with-flag.ts'

/** Whatever runs at a flag that goes, in any environment, is rolled back. The project is locked. */
export async function rollBackArchived(context: ChangeContext, flagId: string): Promise<EntityChange[]> {
  const changes: EntityChange[] = []
  for (const placed of await findRunning(context.db, { flagId })) {
    const turn = turnOfFlag(context, placed, 'archived')
    const done = await carryOut(context, placed, { turn, by: personOf(context.actor) })
    changes.push(...done.changes)
  }
  return changes
}
