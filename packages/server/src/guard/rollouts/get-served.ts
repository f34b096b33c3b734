import type { ReplyOf } from '@telltale/core/contract/call'
import type { getServedShares } from '@telltale/core/contract/rollouts'
import { limits } from '@telltale/core/limits'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { draftOf } from '../../release/flags/config-draft.ts'
import { getConfig } from '../../release/flags/queries.ts'
import { findRunning, type PlacedRollout } from './queries.ts'
import { serveAt } from './split-of.ts'

type Served = ReplyOf<typeof getServedShares>

/** Saved and served weights, place by place. */
export async function getServed(
  db: Queryable,
  ref: { flagId: string; environmentId: string },
): Promise<Served> {
  const row = await getConfig(db, ref)
  const config = draftOf(row)
  const running = new Map((await findRunning(db, ref)).map((placed) => [placed.row.place, placed]))
  const places = [...config.rules.map(({ id }) => id ?? ''), 'fallthrough']
  return {
    enabled: row.enabled,
    version: row.version,
    places: places.map((place) => {
      const serve = serveAt(config, place) ?? config.fallthrough
      const saved = 'split' in serve ? serve.split : [{ ...serve, weight: limits.weightTotal }]
      const guard = running.get(place)
      const laid = guard?.row.overlay?.arms ?? saved
      return {
        place,
        by: 'split' in serve ? (serve.by ?? 'targetingKey') : null,
        saved,
        served: laid.map(({ variation, weight }) => ({ variation, weight })),
        rollout: guard === undefined ? null : toGuard(guard),
      }
    }),
  }
}

function toGuard({ row }: PlacedRollout): Served['places'][number]['rollout'] {
  const { id, state, control, treatment, rollout, draft } = row
  return { id, state, control, treatment, stage: rollout.stage, stages: draft.stages.length }
}
