import { isDeepStrictEqual } from 'node:util'
import { oneVariationOf } from '@telltale/core/changes/flag-lifecycle'
import type { FlagConfigDraft, Rule, Split } from '@telltale/core/contract/flag-config'
import { problem } from '@telltale/core/errors'
import { and, eq } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import { versionOf } from '../../organisation/environments/first-config.ts'
import type { ChangeContext, Changed } from '../../platform/engines/postgres/change.ts'
import { flagConfigs, flagConfigVersions } from '../../platform/engines/postgres/schema.ts'
import { checkDraft } from './check-draft.ts'
import { draftOf } from './config-draft.ts'
import { auditedConfig, toConfig } from './flag.ts'
import type { ReviewConfig, SavedConfig } from './policy.ts'
import { type ConfigRow, getConfig } from './queries.ts'
import { type ImportedSplits, writeSplits } from './splits.ts'

export interface ConfigWrite extends SavedConfig {
  review: ReviewConfig
  /** The base version; undefined for the current one. */
  from: number | undefined
  reason: string | undefined
  /** The draft was validated together with the other changes of the same transaction. */
  isChecked?: boolean
  /** The bucketing of splits imported from Flagsmith. Such a draft was validated as a whole. */
  imported?: ImportedSplits
  /** Places whose splits reassign users. */
  freshDraws?: readonly string[]
  /** Places whose splits begin a new epoch, even with the same weights. */
  newEpochs?: readonly string[]
}

/** Saves version n+1 over version n and returns the resulting row. The place must be locked. */
export async function writeConfig(context: ChangeContext, write: ConfigWrite): Promise<Changed<ConfigRow>> {
  const { db, actor } = context
  const { project, environment, flag, from, reason, changeRequest, imported } = write
  const before = await getConfig(db, { flagId: flag.id, environmentId: environment.id })
  if (from !== undefined && from !== before.version) {
    throw problem('version-conflict', { current: toConfig(before) })
  }
  if (!imported && !write.isChecked)
    await checkDraft(db, { flag, environmentId: environment.id, draft: write.draft })
  const reviewed = await write.review(context, before, write)
  const { draft, laid, isAlwaysVersion = false } = reviewed
  const isSame = isDeepStrictEqual(draft, draftOf(before))
  if (isSame && !imported && !isAlwaysVersion) return { reply: before, changes: [] }

  const after = await buildConfig(context, {
    before,
    draft,
    laid,
    imported,
    freshDraws: write.freshDraws ?? [],
    newEpochs: write.newEpochs ?? [],
  })
  if (!isAlwaysVersion && isDeepStrictEqual(auditedConfig(before), auditedConfig(after)))
    return { reply: before, changes: [] }
  await db
    .update(flagConfigs)
    .set(after)
    .where(and(eq(flagConfigs.flagId, flag.id), eq(flagConfigs.environmentId, environment.id)))
  await db
    .insert(flagConfigVersions)
    .values(versionOf(after, { actor, reason: reason ?? null, changeRequest: changeRequest ?? null }))
  const followed = await reviewed.follow(after)

  return {
    reply: after,
    changes: [
      {
        action: 'flag-config.save',
        entity: { kind: 'flag-config', id: flag.id, name: flag.key },
        project,
        environment,
        before: auditedConfig(before),
        after: auditedConfig(after),
        ...(reason === undefined ? {} : { reason }),
      },
      ...followed,
    ],
  }
}

interface ConfigParts {
  before: ConfigRow
  draft: FlagConfigDraft
  laid: ReadonlyMap<string, Split>
  imported: ImportedSplits | undefined
  freshDraws: readonly string[]
  newEpochs: readonly string[]
}

async function buildConfig(
  { db, now }: ChangeContext,
  { before, draft, ...more }: ConfigParts,
): Promise<ConfigRow> {
  const { flagId, environmentId } = before
  const splits = await writeSplits(db, { ref: { flagId, environmentId }, before, now, ...more })
  const rules: Rule[] = []
  for (const { id = newId(), description = '', when, serve } of draft.rules) {
    rules.push({ id, description, when, serve: await splits.write(id, serve) })
  }
  const fallthrough = await splits.write('fallthrough', draft.fallthrough)
  await splits.close()

  const { enabled, offVariation, prerequisites } = draft
  const after = { ...before, enabled, offVariation, prerequisites, rules, fallthrough }
  const oneVariationSince = findOneVariationSince(before, after, now)
  return { ...after, version: before.version + 1, savedAt: now, oneVariationSince }
}

/** Since when all users get the same variation. */
function findOneVariationSince(before: ConfigRow, after: ConfigRow, now: Date): Date | null {
  const variation = oneVariationOf(after)
  if (variation === undefined) return null
  return variation === oneVariationOf(before) ? (before.oneVariationSince ?? before.savedAt) : now
}
