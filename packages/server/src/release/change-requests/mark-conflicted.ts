import type { ChangeContext, EntityChange } from '../../platform/engines/postgres/change.ts'
import type { ReviewConfig } from '../flags/policy.ts'
import { decide } from './decide.ts'
import { findInStates } from './queries.ts'

interface MovedConfig {
  project: { id: string; key: string }
  environment: { id: string }
  flag: { id: string }
  /** The change request that caused the change. */
  except: string | undefined
}

/** Marks open requests based on the previous version as conflicted. */
async function markConflicted(
  context: ChangeContext,
  { project, environment, flag, except }: MovedConfig,
): Promise<EntityChange[]> {
  const ref = { flagId: flag.id, environmentId: environment.id }
  const changes: EntityChange[] = []
  for (const placed of await findInStates(context.db, ref, ['open', 'approved'])) {
    if (placed.request.id === except) continue
    const { change } = await decide(context, placed, {
      ...{ project, action: 'conflict' as const },
      // What it would change has changed: this was not approved.
      set: { approvals: [] },
    })
    changes.push(change)
  }
  return changes
}

/** The same review; saving then marks the change requests that conflict with it. */
export function markingConflicts(review: ReviewConfig): ReviewConfig {
  return async (context, before, write) => {
    const reviewed = await review(context, before, write)
    const { project, environment, flag, changeRequest } = write
    const moved = { project, environment, flag, except: changeRequest?.id }
    return {
      ...reviewed,
      follow: async (after) => [...(await markConflicted(context, moved)), ...(await reviewed.follow(after))],
    }
  }
}
