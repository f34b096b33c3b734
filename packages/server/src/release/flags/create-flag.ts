import type { FlagDraft } from '@telltale/core/contract/flags'
import { problem } from '@telltale/core/errors'
import { booleanVariations } from '@telltale/core/flags-as-code/first-config'
import { limits } from '@telltale/core/limits'
import { v7 as newId } from 'uuid'
import { lockProject } from '../../access/find-project.ts'
import { insertFirstConfigs } from '../../organisation/environments/first-config.ts'
import { findEnvironments } from '../../organisation/environments/queries.ts'
import { type ChangeContext, change, type EntityChange } from '../../platform/engines/postgres/change.ts'
import { flags } from '../../platform/engines/postgres/schema.ts'
import { auditedFlag, toFlag } from './flag.ts'
import { mergeFlag } from './merge-flag.ts'
import { countFlags, type FlagRow, findFlag } from './queries.ts'

interface FlagCreation {
  project: { id: string; key: string }
  draft: FlagDraft
}

export const createFlag = change(async (context, creation: FlagCreation) => {
  const { row, changes } = await insertFlag(context, creation)
  return { reply: toFlag(row), changes }
})

/**
 * Inserts a flag with a configuration in every environment. Throws `already-exists`, `in-use`,
 * `invalid-request`.
 */
export async function insertFlag(
  context: ChangeContext,
  { project, draft }: FlagCreation,
): Promise<{ row: FlagRow; changes: EntityChange[] }> {
  const { db, now } = context
  await lockProject(db, project.id)
  if (await findFlag(db, project.id, draft.key)) {
    throw problem('already-exists', `The flag "${draft.key}" already exists in the project.`)
  }
  if ((await countFlags(db, project.id)) >= limits.flagsPerProject) {
    throw problem('in-use', `A project has at most ${limits.flagsPerProject} flags.`)
  }
  const row = await mergeFlag(db, newFlag(project, draft, now), { ...draft, variations: variationsOf(draft) })

  await db.insert(flags).values(row)
  await insertFirstConfigs(context, { flags: [row], environments: await findEnvironments(db, project.id) })
  return {
    row,
    changes: [
      {
        action: 'flag.create',
        entity: { kind: 'flag', id: row.id, name: row.key },
        project,
        after: auditedFlag(row),
      },
    ],
  }
}

export function newFlag(project: { id: string }, { key, name, valueType }: FlagDraft, now: Date): FlagRow {
  return {
    id: newId(),
    projectId: project.id,
    key,
    name,
    description: '',
    valueType,
    variations: [],
    valueSchema: null,
    tags: [],
    owners: [],
    ownerTeams: [],
    permanent: false,
    removeBy: null,
    clientVisible: false,
    flagsmith: null,
    version: 1,
    createdAt: now,
    archivedAt: null,
    managed: false,
  }
}

function variationsOf({ valueType, variations }: FlagDraft): NonNullable<FlagDraft['variations']> {
  if (variations !== undefined) return variations
  if (valueType === 'boolean') return booleanVariations
  throw problem('invalid-request', { errors: [{ pointer: '/variations', message: 'is missing' }] })
}
