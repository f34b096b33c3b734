import { isSame } from '@telltale/core/changes/same'
import { problem } from '@telltale/core/errors'
import type { ImportedFlag, ImportedVariation } from '@telltale/core/flag-imports/imported'
import { and, eq, ne } from 'drizzle-orm'
import type { EnvironmentRow } from '../../organisation/environments/queries.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { environments, flagConfigs, identityOverrides } from '../../platform/engines/postgres/schema.ts'
import { completed, draftOf } from '../flags/config-draft.ts'
import { type FlagRow, findFlag, getConfig } from '../flags/queries.ts'

export interface FlagPlan {
  action: 'create' | 'update' | 'keep'
  before: FlagRow | undefined
  /** Those of the document, and those that other environments still serve. */
  variations: ImportedVariation[]
}

interface Planned {
  project: { id: string; key: string }
  environment: EnvironmentRow
  flag: ImportedFlag
}

/** Throws `invalid-request` if the flag exists and has another type, or is archived. */
export async function planFlag(db: Queryable, { project, environment, flag }: Planned): Promise<FlagPlan> {
  const before = await findFlag(db, project.id, flag.key)
  if (before === undefined) return { action: 'create', before, variations: flag.variations }
  if (before.archivedAt !== null) throw refuse(flag, 'is archived: restore or delete it first')
  if (before.valueType !== flag.valueType) {
    throw refuse(flag, `exists with values of the type ${before.valueType}, not ${flag.valueType}`)
  }
  const imported = new Set(flag.variations.map(({ key }) => key))
  const served = await findServedElsewhere(db, before, environment)
  const others = before.variations.filter(({ key }) => !imported.has(key) && served.has(key))
  const variations = [...flag.variations, ...others]
  const config = await getConfig(db, { flagId: before.id, environmentId: environment.id })
  const after = withoutIds(completed(flag.config))
  const isKept =
    isSame(withoutIds(draftOf(config)), after) &&
    isSame(before.variations.toSorted(byKey), variations.toSorted(byKey))
  return { action: isKept ? 'keep' : 'update', before, variations }
}

const byKey = (one: { key: string }, other: { key: string }) => (one.key < other.key ? -1 : 1)

function refuse({ source, key }: ImportedFlag, message: string) {
  return problem('invalid-request', {
    errors: [{ pointer: '/document', message: `${source}: the flag "${key}" ${message}` }],
  })
}

/** Rules are compared by what they do. */
function withoutIds(draft: ReturnType<typeof completed>) {
  return { ...draft, rules: draft.rules.map(({ id: _id, ...rule }) => rule) }
}

/** Variations that another environment serves, or that an override gives to a user. */
async function findServedElsewhere(
  db: Queryable,
  flag: FlagRow,
  environment: EnvironmentRow,
): Promise<Set<string>> {
  const configs = await db
    .select({ config: flagConfigs })
    .from(flagConfigs)
    .where(and(eq(flagConfigs.flagId, flag.id), ne(flagConfigs.environmentId, environment.id)))
  const overridden = await db
    .selectDistinct({ variation: identityOverrides.variation })
    .from(identityOverrides)
    .innerJoin(environments, eq(environments.id, identityOverrides.environmentId))
    .where(eq(identityOverrides.flagId, flag.id))
  const served = new Set(overridden.map(({ variation }) => variation))
  for (const { config } of configs) {
    served.add(config.offVariation)
    for (const serve of [config.fallthrough, ...config.rules.map((rule) => rule.serve)]) {
      if ('variation' in serve) served.add(serve.variation)
      else for (const { variation } of serve.split.arms) served.add(variation)
    }
  }
  return served
}
