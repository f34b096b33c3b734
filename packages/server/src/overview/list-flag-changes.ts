import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { listFlagChanges as listFlagChangesCall } from '@telltale/core/contract/overview'
import { limits } from '@telltale/core/limits'
import type { Queryable } from '../engines/postgres/open.ts'
import { periodOf, readSpan } from '../explore/open-question.ts'
import { findConfigChanges } from './queries.ts'

type Reply = ReplyOf<typeof listFlagChangesCall>
type Kind = Reply['changes'][number]['kind']

export async function listFlagChanges(
  db: Queryable,
  environmentId: string,
  { query, now }: { query: QueryOf<typeof listFlagChangesCall>; now: Date },
): Promise<Reply> {
  const span = readSpan(query, now)
  const found = await findConfigChanges(db, { environmentId, flag: query.flag, ...span })
  const changes = found.slice(0, limits.flagChangesListed).reverse()
  return {
    ...periodOf(span),
    changes: changes.map(({ enabled, wasEnabled, at, actor, ...change }) => ({
      ...change,
      at: at.toISOString(),
      kind: kindOf({ enabled, wasEnabled, byGuard: actor.kind === 'guard' }),
      actor: { kind: actor.kind, name: actor.name },
    })),
    more: found.length > limits.flagChangesListed,
  }
}

function kindOf(change: { enabled: boolean; wasEnabled: boolean; byGuard: boolean }): Kind {
  if (change.byGuard) return 'rolled-back'
  if (change.enabled === change.wasEnabled) return 'changed'
  return change.enabled ? 'turned-on' : 'turned-off'
}
