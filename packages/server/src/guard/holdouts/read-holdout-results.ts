// Held-out users compared with a sample of all others: everyone with telemetry counts, whether they met a flag or not.

import type { HoldoutResults } from '@telltale/core/contract/holdouts'
import { holdoutArms, holdoutEpoch, othersOf } from '@telltale/core/evaluation/holdout'
import { goalLevels } from '@telltale/core/guard/experiment/goal-levels'
import { unitsForVerdict } from '@telltale/core/guard/judge-metric'
import type { Services } from '../../platform/services.ts'
import { readEvidence } from '../evidence/read-evidence.ts'
import { readCurrencies, withoutMixed } from '../experiments/read-currencies.ts'
import { comparePair } from '../experiments/read-results.ts'
import { metricsOf } from '../metrics/named-metrics.ts'
import { findFlagKeys, type PlacedHoldout } from './queries.ts'

type Needed = Pick<Services, 'db' | 'telemetry' | 'clock'>

/** As kept, if it has ended. */
export async function readHoldoutResults(services: Needed, placed: PlacedHoldout): Promise<HoldoutResults> {
  const { row, environment } = placed
  if (row.results !== null) return completed(row.results)
  const { judged, share, split, createdAt } = row
  const others = othersOf(share)
  const pair = {
    environmentId: environment.id,
    split,
    treatment: holdoutArms.others,
    control: holdoutArms.heldOut,
    epochs: [{ epoch: holdoutEpoch, share: others / (others + share), startedAt: createdAt }],
  }
  const evidence = await readEvidence(services.telemetry, pair, judged)
  const compared = comparePair(pair, evidence, {
    goals: [],
    judged,
    metrics: await metricsOf(services, row.projectId),
    levels: goalLevels({ goals: judged.length, treatments: 1 }),
    waiting: [],
  })
  const currencies = await readCurrencies(services.telemetry, pair, judged)
  const arm = { ...compared, goals: withoutMixed(compared.goals, currencies) }
  const coversNothing = row.flagIds !== null && !(await hasActiveFlag(services, placed))
  return { at: services.clock().toISOString(), finding: findingOf(arm, coversNothing), arm }
}

/** Results that were kept before goals had currencies. */
const completed = (results: HoldoutResults): HoldoutResults => ({
  ...results,
  arm: { ...results.arm, goals: results.arm.goals.map((goal) => ({ ...{ currencies: [] }, ...goal })) },
})

async function hasActiveFlag({ db }: Needed, { row: { projectId, flagIds } }: PlacedHoldout) {
  const known = await findFlagKeys(db, projectId)
  return known.some(({ id, archivedAt }) => archivedAt === null && flagIds?.includes(id) === true)
}

function findingOf({ units }: HoldoutResults['arm'], coversNothing: boolean): HoldoutResults['finding'] {
  if (coversNothing) return 'no-flags'
  if (units.control === 0) return units.treatment === 0 ? 'no-users' : 'none-held-out'
  return Math.min(units.control, units.treatment) < unitsForVerdict ? 'too-few-users' : 'measured'
}
