import type { Serve } from '@telltale/core/contract/flag-config'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import {
  type ConfigRow,
  type FlagRow,
  findConfigs,
  findDependents,
  findOverriddenVariations,
} from './queries.ts'

/** Descriptions of all places where any of these variations of a flag is used. */
export async function findVariationUses(
  db: Queryable,
  flag: FlagRow,
  variations: ReadonlySet<string>,
): Promise<string[]> {
  const configs = await findConfigs(db, flag.projectId, { flagIds: [flag.id] })
  const overridden = await findOverriddenVariations(db, flag.id)
  const dependents = await findDependents(db, flag.projectId, flag.key)

  return [
    ...configs.flatMap(({ config, env }) =>
      servedBy(config)
        .filter(({ variation }) => variations.has(variation))
        .map(({ variation, where }) => `"${variation}" as ${where} in ${env}`),
    ),
    ...overridden
      .filter(({ variation }) => variations.has(variation))
      .map(({ variation, env }) => `"${variation}" by overrides in ${env}`),
    ...dependents.flatMap(({ config, flag: dependent, env }) =>
      config.prerequisites
        .filter((each) => each.flag === flag.key && variations.has(each.variation))
        .map(({ variation }) => `"${variation}" as prerequisite of "${dependent.key}" in ${env}`),
    ),
  ]
}

function servedBy(config: ConfigRow): { variation: string; where: string }[] {
  const of = (serve: Serve, where: string) => variationsOf(serve).map((variation) => ({ variation, where }))
  return [
    { variation: config.offVariation, where: 'off variation' },
    ...config.rules.flatMap(({ serve }, index) => of(serve, `rule ${index + 1}`)),
    ...of(config.fallthrough, 'fallthrough'),
  ]
}

function variationsOf(serve: Serve): string[] {
  if (!('split' in serve)) return [serve.variation]
  const { arms, layer } = serve.split
  const all = [...arms.map(({ variation }) => variation), ...(layer === undefined ? [] : [layer.otherwise])]
  return [...new Set(all)]
}
