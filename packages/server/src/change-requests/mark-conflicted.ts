import type { ChangeContext, EntityChange } from '../engines/postgres/change.ts'
import { decide } from './decide.ts'
import { findInStates } from './queries.ts'

interface MovedConfig {
  project: { id: string; key: string }
  environment: { id: string }
  flag: { id: string }
  /** The change request that moved it. */
  except: string | undefined
}

/** Whatever was proposed over the version before has lost its ground. */
export async function markConflicted(
  context: ChangeContext,
  { project, environment, flag, except }: MovedConfig,
): Promise<EntityChange[]> {
  const ref = { flagId: flag.id, environmentId: environment.id }
  const changes: EntityChange[] = []
  for (const placed of await findInStates(context.db, ref, ['open', 'approved'])) {
    if (placed.request.id === except) continue
    const { change } = await decide(context, placed, { project, action: 'conflict' })
    changes.push(change)
  }
  return changes
}
