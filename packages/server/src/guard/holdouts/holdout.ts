import type { Holdout } from '@telltale/core/contract/holdouts'
import type { EntityChange } from '../../platform/engines/postgres/change.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { definitionsOf } from '../metrics/named-metrics.ts'
import { findFlagKeys, findKeys, type HoldoutRow, type PlacedHoldout } from './queries.ts'

/** Holdouts of one project as the API returns them. */
export async function toHoldouts(
  db: Queryable,
  projectId: string,
  all: readonly PlacedHoldout[],
): Promise<Holdout[]> {
  if (all.length === 0) return []
  const known = await findFlagKeys(db, projectId)
  const definitions = await definitionsOf({ db }, projectId)
  const followed = await findKeys(
    db,
    projectId,
    all.flatMap(({ row }) => row.follows ?? []),
  )
  return all.map(({ row, environment }) => {
    const { id, key, name, description, state, share, days, createdBy, endedBy, flagIds } = row
    const { whenOver } = row
    const follows = row.follows !== null && followed.has(row.follows) ? row.follows : null
    return {
      ...{ id, key, name, description, state, share, days, whenOver, follows, createdBy, endedBy },
      env: environment.key,
      isFlagsmith: environment.isFlagsmith,
      flags:
        flagIds === null
          ? null
          : known
              .filter((flag) => flagIds.includes(flag.id))
              .map((flag) => ({ key: flag.key, archived: flag.archivedAt !== null })),
      metrics: row.judged.map(({ metric }) => ({
        metric,
        // A custom metric may be deleted while the holdout keeps its definition.
        name: definitions.find((one) => one.key === metric)?.name ?? metric,
      })),
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
      overAt: overAtOf(row)?.toISOString() ?? null,
      endedAt: row.endedAt?.toISOString() ?? null,
    }
  })
}

/** One holdout as the API returns it. */
export async function toHoldout(db: Queryable, one: PlacedHoldout): Promise<Holdout> {
  const [holdout] = await toHoldouts(db, one.row.projectId, [one])
  if (holdout === undefined) throw new Error('A holdout is always rendered.')
  return holdout
}

interface HoldoutChange {
  project: { id: string; key: string }
  before?: PlacedHoldout
  after?: PlacedHoldout
}

/** The audit entry of a change, which also announces it to everything that serves flags. */
export function holdoutChange(
  action: 'start' | 'update' | 'end' | 'delete',
  { project, before, after }: HoldoutChange,
): EntityChange[] {
  const one = after ?? before
  if (one === undefined) return []
  return [
    {
      action: `holdout.${action}`,
      entity: { kind: 'holdout', id: one.row.id, name: one.row.key },
      project,
      environment: one.environment,
      ...(before && { before: audited(before) }),
      ...(after && { after: audited(after) }),
    },
  ]
}

const day = 86_400_000

/** When its planned days are over; undefined without. */
export const overAtOf = ({ createdAt, days }: Pick<HoldoutRow, 'createdAt' | 'days'>) =>
  days === null ? undefined : new Date(createdAt.getTime() + days * day)

function audited({ row }: PlacedHoldout) {
  const { key, name, description, share, flagIds, days, whenOver, state, judged } = row
  const metrics = judged.map(({ metric }) => metric)
  return { key, name, description, share, flags: flagIds ?? 'all', days, whenOver, state, metrics }
}
