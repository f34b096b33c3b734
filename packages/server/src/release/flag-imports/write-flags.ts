import type { FlagConfigDraft } from '@telltale/core/contract/flag-config'
import type { ImportedFlag } from '@telltale/core/flag-imports/imported'
import type { EnvironmentRow } from '../../organisation/environments/queries.ts'
import type { ChangeContext, EntityChange } from '../../platform/engines/postgres/change.ts'
import { writeOrPropose } from '../change-requests/write-or-propose.ts'
import { insertFlag } from '../flags/create-flag.ts'
import { getConfig, getFlag } from '../flags/queries.ts'
import { applyFlagUpdate } from '../flags/update-flag.ts'
import type { FlagImport } from './import-flags.ts'
import { type FlagPlan, planFlag } from './plan-flag.ts'

type Place = FlagImport & { environment: EnvironmentRow; reason: string }

interface WrittenFlags {
  changes: EntityChange[]
  /** Keys of the flags whose configuration waits for approval. */
  proposed: ReadonlySet<string>
}

/** All flags first, because configurations refer to other flags. Throws what changes of flags throw. */
export async function writeFlags(
  context: ChangeContext,
  place: Place,
  flags: readonly ImportedFlag[],
): Promise<WrittenFlags> {
  const changes: EntityChange[] = []
  const changed: { flag: ImportedFlag; plan: FlagPlan }[] = []
  for (const flag of flags) {
    const plan = await planFlag(context.db, { ...place, flag })
    if (plan.action === 'keep') continue
    changed.push({ flag, plan })
    changes.push(...(await addVariations(context, place, { flag, plan })))
  }
  const proposed = new Set<string>()
  for (const { flag, plan } of changed) {
    const saved = await writeConfigOf(context, place, flag)
    changes.push(...saved.changes)
    if ('opened' in saved.reply) proposed.add(flag.key)
    else changes.push(...(await removeVariations(context, place, { flag, plan })))
  }
  return { changes, proposed }
}

interface Planned {
  flag: ImportedFlag
  plan: FlagPlan
}

async function addVariations(
  context: ChangeContext,
  { policy, project, grant }: Place,
  { flag, plan }: Planned,
): Promise<EntityChange[]> {
  const { key, name, description, valueType, tags, clientVisible = false } = flag
  if (plan.before === undefined) {
    const draft = { key, name, description, valueType, tags, clientVisible, variations: plan.variations }
    return (await insertFlag(context, { project, draft })).changes
  }
  const known = new Set(plan.variations.map((variation) => variation.key))
  const old = plan.before.variations.filter((variation) => !known.has(variation.key))
  const draft = { variations: [...plan.variations, ...old] }
  return (await applyFlagUpdate(context, { policy, project, grant, key, draft, ifMatch: undefined })).changes
}

/** Variations that only the earlier configuration served. */
async function removeVariations(
  context: ChangeContext,
  { policy, project, grant }: Place,
  { flag: { key }, plan }: Planned,
): Promise<EntityChange[]> {
  if (plan.before === undefined) return []
  const draft = { variations: plan.variations }
  return (await applyFlagUpdate(context, { policy, project, grant, key, draft, ifMatch: undefined })).changes
}

async function writeConfigOf(
  context: ChangeContext,
  { policy, project, grant, author, environment, reason }: Place,
  { key, config }: ImportedFlag,
) {
  const flag = await getFlag(context.db, project.id, key)
  const before = await getConfig(context.db, { flagId: flag.id, environmentId: environment.id })
  // Rules in the same place keep their ids, and so the buckets of their splits.
  const rules = config.rules.map((rule, index) => {
    const id = before.rules[index]?.id
    return id === undefined ? rule : { ...rule, id }
  })
  const draft: FlagConfigDraft = { ...config, rules }
  const write = { project, grant, author, environment, flag, draft, reason }
  return writeOrPropose(context, { ...write, review: policy.reviewConfig, from: undefined, isChecked: true })
}
