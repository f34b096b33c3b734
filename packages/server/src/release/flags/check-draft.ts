import type { FlagConfigDraft } from '@telltale/core/contract/flag-config'
import { problem } from '@telltale/core/errors'
import { type CheckedFlag, checkConfig } from '@telltale/core/evaluation/check-config'
import { limits } from '@telltale/core/limits'
import { and, eq, isNull } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { flagConfigs, flags, segments } from '../../platform/engines/postgres/schema.ts'
import type { FlagRow } from './queries.ts'

/** Validates a configuration for its environment. Throws the code of the first fault, with every fault. */
export async function checkDraft(
  db: Queryable,
  { flag, environmentId, draft }: { flag: FlagRow; environmentId: string; draft: FlagConfigDraft },
): Promise<void> {
  const rows = await db
    .select({ key: flags.key, variations: flags.variations, prerequisites: flagConfigs.prerequisites })
    .from(flagConfigs)
    .innerJoin(flags, eq(flags.id, flagConfigs.flagId))
    .where(and(eq(flagConfigs.environmentId, environmentId), isNull(flags.archivedAt)))
  const known = await db
    .select({ key: segments.key })
    .from(segments)
    .where(eq(segments.projectId, flag.projectId))

  const faults = checkConfig(draft, {
    flag: { key: flag.key, variations: flag.variations.map(({ key }) => key), prerequisites: [] },
    flags: new Map(rows.map((row) => [row.key, toChecked(row)])),
    segments: new Set(known.map(({ key }) => key)),
  })
  const [first] = faults
  if (first === undefined) return
  const errors = faults.slice(0, limits.faultsListed).map(({ pointer, message }) => ({ pointer, message }))
  throw problem(first.code, { errors })
}

function toChecked({
  key,
  variations,
  prerequisites,
}: Pick<FlagRow, 'key' | 'variations'> & Pick<CheckedFlag, 'prerequisites'>): CheckedFlag {
  return { key, variations: variations.map((each) => each.key), prerequisites }
}
