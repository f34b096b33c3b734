// Creates many flags at once, with their configurations as first versions. Nothing refers to a new flag yet, so no
// rollout, override or change request has to be looked at.

import { oneVariationOf } from '@telltale/core/changes/flag-lifecycle'
import type { Arm, FlagConfigDraft, Serve } from '@telltale/core/contract/flag-config'
import { problem } from '@telltale/core/errors'
import type { FlagContent } from '@telltale/core/flags-as-code/content'
import { v7 as newId } from 'uuid'
import { firstConfig, insertConfigs } from '../../organisation/environments/first-config.ts'
import type { EnvironmentRow } from '../../organisation/environments/queries.ts'
import type { ChangeContext, EntityChange } from '../../platform/engines/postgres/change.ts'
import { flags, splitEpochs, splits } from '../../platform/engines/postgres/schema.ts'
import { newFlag } from '../flags/create-flag.ts'
import { auditedConfig, auditedFlag } from '../flags/flag.ts'
import type { ConfigRow, FlagRow } from '../flags/queries.ts'
import { armsOf } from '../flags/splits.ts'
import { idsOf, type OwnerIds } from './owner-ids.ts'

export interface NewFlag {
  key: string
  content: FlagContent
  /** Configurations that are saved at once, by environment. */
  drafts: ReadonlyMap<string, FlagConfigDraft>
}

interface Creation {
  project: { id: string; key: string }
  environments: readonly EnvironmentRow[]
  ownerIds: OwnerIds
}

/** Rows of one statement. */
const atOnce = 1_000

export async function insertFlags(
  context: ChangeContext,
  { project, environments, ownerIds }: Creation,
  created: readonly NewFlag[],
): Promise<{ rows: FlagRow[]; changes: EntityChange[] }> {
  const { db, now } = context
  const rows = created.map(({ key, content }) => rowOf({ project, key, content, ownerIds }, now))
  for (let at = 0; at < rows.length; at += atOnce) await db.insert(flags).values(rows.slice(at, at + atOnce))

  const firsts = rows.flatMap((flag, index) =>
    environments.map((environment) => ({
      flag,
      environment,
      first: firstConfig(flag, environment.id, now),
      draft: created[index]?.drafts.get(environment.key),
    })),
  )
  const planned = firsts.map(({ first, draft }) =>
    draft === undefined ? undefined : withRules(draft, first),
  )
  const splitIds = await insertSplits(
    context,
    planned.flatMap((one) => one?.splits ?? []),
  )
  const configs = firsts.map(({ first }, index) => planned[index]?.configOf(splitIds) ?? first)
  await insertConfigs(context, configs)
  return {
    rows,
    changes: [
      ...rows.map((row): EntityChange => {
        const entity = { kind: 'flag', id: row.id, name: row.key }
        return { action: 'flag.create', entity, project, after: auditedFlag(row) }
      }),
      ...firsts.flatMap(({ flag, environment, first, draft }, index): EntityChange[] => {
        const after = configs[index]
        if (draft === undefined || after === undefined) return []
        const entity = { kind: 'flag-config', id: flag.id, name: flag.key }
        const [was, is] = [auditedConfig(first), auditedConfig(after)]
        return [{ action: 'flag-config.save', entity, project, environment, before: was, after: is }]
      }),
    ],
  }
}

interface Described {
  project: { id: string }
  key: string
  content: FlagContent
  ownerIds: OwnerIds
}

function rowOf({ project, key, content, ownerIds }: Described, now: Date): FlagRow {
  const { environments: _environments, name, valueType, ...members } = content
  return {
    ...newFlag(project, { key, name, valueType }, now),
    ...members,
    ...idsOf(ownerIds, content),
  }
}

interface NewSplit {
  flagId: string
  environmentId: string
  place: string
  by: string
  arms: Arm[]
}

type SplitIds = ReadonlyMap<NewSplit, bigint>

interface PlannedConfig {
  splits: NewSplit[]
  configOf(ids: SplitIds): ConfigRow
}

function withRules(draft: FlagConfigDraft, first: ConfigRow): PlannedConfig {
  const { flagId, environmentId } = first
  const splits: NewSplit[] = []
  const serveAt = (place: string, serve: FlagConfigDraft['fallthrough']) => {
    if ('variation' in serve) return () => serve
    const by = serve.by ?? 'targetingKey'
    const split = { flagId, environmentId, place, by, arms: armsOf(serve.split, undefined) }
    splits.push(split)
    return (ids: SplitIds): Serve => {
      const id = ids.get(split)
      if (id === undefined) throw problem('internal')
      return { split: { id: String(id), epoch: 1, by, arms: split.arms } }
    }
  }
  const rules = draft.rules.map(({ id = newId(), description = '', when, serve }) => {
    return { rule: { id, description, when }, serve: serveAt(id, serve) }
  })
  const fallthrough = serveAt('fallthrough', draft.fallthrough)
  const { enabled, offVariation, prerequisites } = draft
  return {
    splits,
    configOf: (ids) => {
      const config = {
        ...first,
        enabled,
        offVariation,
        prerequisites,
        rules: rules.map(({ rule, serve }) => ({ ...rule, serve: serve(ids) })),
        fallthrough: fallthrough(ids),
      }
      return { ...config, oneVariationSince: oneVariationOf(config) === undefined ? null : first.savedAt }
    },
  }
}

async function insertSplits({ db, now }: ChangeContext, created: readonly NewSplit[]): Promise<SplitIds> {
  const ids = new Map<NewSplit, bigint>()
  const nameOf = (one: Omit<NewSplit, 'by' | 'arms'>) => `${one.flagId} ${one.environmentId} ${one.place}`
  for (let at = 0; at < created.length; at += atOnce) {
    const some = created.slice(at, at + atOnce)
    const inserted = await db
      .insert(splits)
      .values(
        some.map(({ flagId, environmentId, place }) => ({ flagId, environmentId, place, createdAt: now })),
      )
      .returning()
    const byName = new Map(inserted.map((row) => [nameOf(row), row.id]))
    const epochs = some.map((one) => {
      const id = byName.get(nameOf(one))
      if (id === undefined) throw problem('internal')
      ids.set(one, id)
      return { splitId: id, epoch: 1, by: one.by, arms: one.arms, startedAt: now }
    })
    await db.insert(splitEpochs).values(epochs)
  }
  return ids
}
