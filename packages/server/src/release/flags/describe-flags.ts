import {
  type FlagLifecycle,
  type FlagUse,
  lifecycleOf,
  oneVariationOf,
} from '@telltale/core/changes/flag-lifecycle'
import type { DescribedFlag, Lifecycle } from '@telltale/core/contract/flags'
import type { Static } from 'typebox'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import type { EvaluatedPeriod } from './evaluation-queries.ts'
import { toFlag, toSummary } from './flag.ts'
import { findOverlays, type Overlay } from './overlays.ts'
import { type FlagRow, findConfigs, findOverridden, type PlacedConfig } from './queries.ts'
import { findUsedPeriods } from './used-periods.ts'

/** Flags with a summary of each environment and their lifecycle. */
export async function describeFlags(
  db: Queryable,
  rows: readonly FlagRow[],
  now: Date,
): Promise<Static<typeof DescribedFlag>[]> {
  const [first] = rows
  if (first === undefined) return []
  const flagIds = rows.map(({ id }) => id)
  const placed = await findConfigs(db, first.projectId, { flagIds })
  const laid = await findOverlays(db, { projectId: first.projectId })
  const environmentIds = [...new Set(placed.map(({ config }) => config.environmentId))]
  const configs = groupByFlag(placed, ({ flag }) => flag.id)
  const periods = groupByFlag(await findUsedPeriods(db, first.projectId, rows), ({ flagId }) => flagId)
  const overridden = groupByFlag(
    await findOverridden(db, { flagIds, environmentIds }),
    ({ flagId }) => flagId,
  )

  return rows.map((row) => {
    const places = configs.get(row.id) ?? []
    const evaluated = { periods: periods.get(row.id) ?? [], overridden: overridden.get(row.id) ?? [] }
    const uses = places.map((place) => useOf(place, evaluated))
    const aging = { ...row, archivedAt: row.archivedAt ?? undefined }
    return {
      ...toFlag(row),
      lifecycle: toLifecycle(lifecycleOf(aging, uses, now)),
      environments: places.map((saved) => {
        const place = asServed(saved, laid)
        const here = uses.filter(({ env }) => env === place.env)
        const lifecycle = toLifecycle(lifecycleOf(aging, here, now))
        return toSummary(place, { lifecycle, lastEvaluatedAt: lifecycle.lastEvaluatedAt })
      }),
    }
  })
}

/** During a rollout, its stage replaces the saved split. */
function asServed(saved: PlacedConfig, overlays: readonly Overlay[]): PlacedConfig {
  const { flagId, environmentId, fallthrough } = saved.config
  const split = overlays.find(
    (each) => each.flagId === flagId && each.environmentId === environmentId && each.place === 'fallthrough',
  )?.split
  return { ...saved, config: { ...saved.config, fallthrough: split ? { split } : fallthrough } }
}

function useOf(
  { config, flag, env, envCreatedAt }: PlacedConfig,
  known: { periods: EvaluatedPeriod[]; overridden: { environmentId: string; variation: string }[] },
): FlagUse {
  const { environmentId } = config
  const period = known.periods.find((each) => each.environmentId === environmentId)
  const overridden = known.overridden
    .filter((each) => each.environmentId === environmentId)
    .map(({ variation }) => variation)
  const variation = oneVariationOf(config, overridden)

  return {
    env,
    begunAt: new Date(Math.max(flag.createdAt.getTime(), envCreatedAt.getTime())),
    firstEvaluatedAt: period?.firstAt,
    lastEvaluatedAt: period?.lastAt,
    oneVariation:
      variation === undefined ? undefined : { variation, since: config.oneVariationSince ?? config.savedAt },
  }
}

function toLifecycle(lifecycle: FlagLifecycle): Static<typeof Lifecycle> {
  const { state, because, since, env = null, variation = null, lastEvaluatedAt } = lifecycle
  return {
    state,
    because,
    since: since.toISOString(),
    env,
    variation,
    lastEvaluatedAt: lastEvaluatedAt?.toISOString() ?? null,
  }
}

function groupByFlag<Item>(items: readonly Item[], flagOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(flagOf(item))
    if (group === undefined) groups.set(flagOf(item), [item])
    else group.push(item)
  }
  return groups
}
