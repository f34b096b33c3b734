import type { Split } from '@telltale/core/contract/flag-config'
import type { ExclusionRule } from '@telltale/core/evaluation/exclusion-rules'
import { and, eq, isNotNull } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { rollouts } from '../../platform/engines/postgres/rollout-schema.ts'

export interface Overlay {
  flagId: string
  environmentId: string
  place: string
  split: Split
  control: string
  /** Slices that its rollout excludes now. */
  exclusions: ExclusionRule[]
}

/** Splits of running rollouts that replace saved ones: in a project, or for one flag of an environment. */
export async function findOverlays(
  db: Queryable,
  of: { projectId: string } | { flagId: string; environmentId: string },
): Promise<Overlay[]> {
  const within =
    'projectId' in of
      ? eq(rollouts.projectId, of.projectId)
      : and(eq(rollouts.flagId, of.flagId), eq(rollouts.environmentId, of.environmentId))
  const rows = await db
    .select({
      flagId: rollouts.flagId,
      environmentId: rollouts.environmentId,
      place: rollouts.place,
      split: rollouts.overlay,
      control: rollouts.control,
      exclusions: rollouts.exclusions,
    })
    .from(rollouts)
    .where(and(within, isNotNull(rollouts.overlay)))
  return rows.flatMap(({ split, exclusions, ...at }) =>
    split === null ? [] : [{ ...at, split, exclusions: exclusions ?? [] }],
  )
}
