import type { JudgedMetric } from '@telltale/core/guard/metric-method'
import type { Look, Rollout, RolloutPlan } from '@telltale/core/guard/rollout'
import type { Db } from '../../platform/engines/postgres/open.ts'
import type { WatchedHarm } from '../evidence/count-harmed.ts'
import type { ComparedArms } from '../evidence/split-question.ts'
import { definitionsOf } from '../metrics/named-metrics.ts'
import { findHarms } from '../rollouts/find-proof.ts'
import { findEvidenceEpochs, judgedOf, type PlacedRollout, planOf, standingOf } from '../rollouts/queries.ts'
import { findTurnedOff } from './queries.ts'

/** The input of the guard about a rollout before a look. */
export interface WatchedRollout {
  placed: PlacedRollout
  plan: RolloutPlan
  standing: Rollout
  flag: Look['flag']
  /** Undefined if no epoch counts: then there is nothing to read. */
  arms: ComparedArms | undefined
  /** Metrics of the plan whose definition still exists, as they were frozen. */
  metrics: readonly JudgedMetric[]
  /** Metrics whose definition was deleted. */
  gone: readonly JudgedMetric[]
  /** What it has to prove. */
  harms: readonly WatchedHarm[]
}

export async function prepareWatched(db: Db, placed: readonly PlacedRollout[]): Promise<WatchedRollout[]> {
  const off = await findTurnedOff(db, placed)
  const known = new Map<string, Set<string>>()
  const watched: WatchedRollout[] = []
  for (const one of placed) {
    const { row, project } = one
    const keys = known.get(project.id) ?? (await findKeys(db, project.id))
    known.set(project.id, keys)
    const judged = judgedOf(row)
    watched.push({
      placed: one,
      plan: planOf(row),
      standing: standingOf(row),
      flag: one.flag.archivedAt !== null ? 'archived' : off.has(row.id) ? 'off' : 'on',
      arms: await findArms(db, one),
      metrics: judged.filter(({ metric }) => keys.has(metric)),
      gone: judged.filter(({ metric }) => !keys.has(metric)),
      harms: row.proof === null ? [] : await findHarms(db, row),
    })
  }
  return watched
}

async function findKeys(db: Db, projectId: string): Promise<Set<string>> {
  return new Set((await definitionsOf({ db }, projectId)).map(({ key }) => key))
}

async function findArms(db: Db, { row }: PlacedRollout): Promise<ComparedArms | undefined> {
  const { split, environmentId, treatment, control } = row
  const epochs = await findEvidenceEpochs(db, row)
  return split === null || epochs.length === 0
    ? undefined
    : { environmentId, split, epochs, treatment, control }
}
