import { isDeepStrictEqual } from 'node:util'
import type { FlagConfigDraft, Rule } from '@telltale/core/contract/flag-config'
import type { ImportedFlag, ImportedServe } from '@telltale/core/evaluation/flagsmith/import-document'
import { eq } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import type { EnvironmentRow } from '../../../organisation/environments/queries.ts'
import type { ChangeContext, EntityChange } from '../../../platform/engines/postgres/change.ts'
import { flags } from '../../../platform/engines/postgres/schema.ts'
import { insertFlag } from '../../flags/create-flag.ts'
import { auditedFlag } from '../../flags/flag.ts'
import type { ReviewConfig } from '../../flags/policy.ts'
import { type FlagRow, findFlag, getConfig } from '../../flags/queries.ts'
import type { ImportedSplit } from '../../flags/splits.ts'
import { writeConfig } from '../../flags/write-config.ts'

export interface ImportPlace {
  review: ReviewConfig
  project: { id: string; key: string }
  environment: EnvironmentRow
  /** Part of the hash input of all splits. */
  apiKey: string
}

export interface WrittenFlag {
  row: FlagRow
  imported: ImportedFlag
}

interface WrittenFlags {
  flags: WrittenFlag[]
  changes: EntityChange[]
  notes: string[]
}

/** Writes all flags and their configurations in the environment. */
export async function writeFlags(
  context: ChangeContext,
  place: ImportPlace,
  all: readonly ImportedFlag[],
): Promise<WrittenFlags> {
  const written: WrittenFlags = { flags: [], changes: [], notes: [] }
  for (const imported of all) {
    const { row, changes } = await writeFlag(context, place.project, imported)
    const { draft, splits } = await draftFor(context, place, { row, imported })
    const saved = await writeConfig(context, {
      review: place.review,
      project: place.project,
      environment: place.environment,
      flag: row,
      from: undefined,
      draft,
      reason: 'Imported from Flagsmith',
      imported: splits,
    })
    written.flags.push({ row, imported })
    written.changes.push(...changes, ...saved.changes)
    const { name } = imported.feature
    if (row.key !== name)
      written.notes.push(
        `The feature "${name}" is the flag "${row.key}"; Flagsmith clients keep using its name.`,
      )
  }
  return written
}

async function writeFlag(
  context: ChangeContext,
  project: ImportPlace['project'],
  imported: ImportedFlag,
): Promise<{ row: FlagRow; changes: EntityChange[] }> {
  const { db } = context
  const { key, name, valueType, variations, clientVisible, feature } = imported
  const before = await findFlag(db, project.id, key)
  if (before === undefined) {
    const { row, changes } = await insertFlag(context, {
      project,
      draft: { key, name, valueType, variations, clientVisible },
    })
    await db.update(flags).set({ flagsmith: feature }).where(eq(flags.id, row.id))
    return { row: { ...row, flagsmith: feature }, changes }
  }
  const after: FlagRow = {
    ...before,
    name,
    valueType,
    variations,
    clientVisible,
    flagsmith: feature,
    archivedAt: null,
  }
  if (isDeepStrictEqual(before, after)) return { row: before, changes: [] }
  after.version += 1
  await db.update(flags).set(after).where(eq(flags.id, before.id))
  return {
    row: after,
    changes: [
      {
        action: 'flag.update',
        entity: { kind: 'flag', id: after.id, name: key },
        project,
        before: auditedFlag(before),
        after: auditedFlag(after),
      },
    ],
  }
}

/** Rules keep their ids, and so their splits, as long as they have the same segment. */
async function draftFor(
  { db }: ChangeContext,
  { environment, apiKey }: ImportPlace,
  { row, imported }: WrittenFlag,
): Promise<{ draft: FlagConfigDraft; splits: Map<string, ImportedSplit> }> {
  const before = await getConfig(db, { flagId: row.id, environmentId: environment.id })
  const splits = new Map<string, ImportedSplit>()
  const serve = (place: string, given: ImportedServe): FlagConfigDraft['fallthrough'] => {
    if ('variation' in given) return given
    const { arms, stateKey } = given
    splits.set(place, {
      bucketing: { kind: 'flagsmith', environmentKey: apiKey, stateKey },
      arms: new Map(arms.map(({ variation, weight: _weight, ...own }) => [variation, own])),
    })
    return { split: arms.map(({ variation, weight }) => ({ variation, weight })), by: 'targetingKey' }
  }
  const rules = imported.rules.map((rule) => {
    const id = before.rules.find((each) => isFor(each, rule.segment))?.id ?? newId()
    return { id, description: '', when: whenIn(rule.segment), serve: serve(id, rule.serve) }
  })
  const { enabled, offVariation } = imported
  const fallthrough = serve('fallthrough', imported.fallthrough)
  return { draft: { enabled, offVariation, prerequisites: [], rules, fallthrough }, splits }
}

function whenIn(segment: string): Rule['when'] {
  return { match: 'all', of: [{ operator: 'in-segment', segment }] }
}

function isFor({ when }: Rule, segment: string): boolean {
  return isDeepStrictEqual(when, whenIn(segment))
}
