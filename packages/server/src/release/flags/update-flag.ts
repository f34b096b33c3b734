import { isDeepStrictEqual } from 'node:util'
import type { FlagChange } from '@telltale/core/contract/flags'
import { problem } from '@telltale/core/errors'
import type { Grant } from '@telltale/core/rights'
import { eq } from 'drizzle-orm'
import { lockProject } from '../../access/find-project.ts'
import { type ChangeContext, type Changed, change } from '../../platform/engines/postgres/change.ts'
import { flags } from '../../platform/engines/postgres/schema.ts'
import { findVariationUses } from './find-variation-uses.ts'
import { auditedFlag, toFlag } from './flag.ts'
import { mergeFlag } from './merge-flag.ts'
import type { ReleasePolicy } from './policy.ts'
import { lockFlag } from './queries.ts'
import { refuseOwnerChange } from './refuse-owner-change.ts'
import { refuseProtectedChange } from './refuse-protected-use.ts'

interface FlagUpdate {
  policy: Pick<ReleasePolicy, 'reviewFlag'>
  project: { id: string; key: string }
  grant: Grant
  key: string
  draft: FlagChange & { endsEvidenceOf?: string[] }
  ifMatch: number | undefined
}

export const updateFlag = change(applyFlagUpdate)

/** Changes a flag; fields missing from the draft keep their values. */
export async function applyFlagUpdate(
  context: ChangeContext,
  { policy, project, grant, key, draft, ifMatch }: FlagUpdate,
): Promise<Changed<ReturnType<typeof toFlag>>> {
  const { db } = context
  await lockProject(db, project.id)
  const before = await lockFlag(db, project.id, key)
  if (before.managed) throw problem('managed')
  if (ifMatch !== undefined && ifMatch !== before.version) {
    throw problem('version-conflict', { current: toFlag(before) })
  }
  const merged = await mergeFlag(db, before, draft)
  if (isDeepStrictEqual(merged, before)) return { reply: toFlag(before), changes: [] }

  await refuseProtectedChange(db, { before, after: merged }, grant)
  await refuseOwnerChange(db, { before, after: merged }, grant)

  const kept = new Set(merged.variations.map((variation) => variation.key))
  const removed = before.variations.map((variation) => variation.key).filter((name) => !kept.has(name))
  const uses = removed.length === 0 ? [] : await findVariationUses(db, before, new Set(removed))
  if (uses.length > 0) throw problem('in-use', `In use: ${uses.join('; ')}.`)

  const follow = await policy.reviewFlag(context, { before, after: merged }, draft.endsEvidenceOf)
  const after = { ...merged, version: before.version + 1 }
  await db.update(flags).set(after).where(eq(flags.id, before.id))
  return {
    reply: toFlag(after),
    changes: [
      {
        action: 'flag.update',
        entity: { kind: 'flag', id: before.id, name: before.key },
        project,
        before: auditedFlag(before),
        after: auditedFlag(after),
      },
      ...(await follow()),
    ],
  }
}
