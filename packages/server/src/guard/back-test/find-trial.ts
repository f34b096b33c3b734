// The input of a back-test: the plan of a stored rollout, or a plan that has not been drafted yet, and the
// share of users in its split.

import type { BodyOf } from '@telltale/core/contract/call'
import type { backTestPlan } from '@telltale/core/contract/rollout-back-test'
import { poolOf } from '@telltale/core/evaluation/stage-weights'
import type { BackTestPlan } from '@telltale/core/guard/back-test/back-test'
import { type BaseOfMetric, freezeMetric } from '@telltale/core/guard/built-in-metrics'
import type { JudgedMetric } from '@telltale/core/guard/metric-method'
import { limits } from '@telltale/core/limits'
import { type EnvironmentRow, getEnvironment } from '../../organisation/environments/queries.ts'
import type { RolloutDraft } from '../../platform/engines/postgres/rollout-schema.ts'
import type { Services } from '../../platform/services.ts'
import { draftOf } from '../../release/flags/config-draft.ts'
import { resolveConfigRef } from '../../release/flags/config-ref.ts'
import { getConfig } from '../../release/flags/queries.ts'
import { definitionsOf } from '../metrics/named-metrics.ts'
import { checkPlan } from '../rollouts/check-plan.ts'
import { getRollout, judgedOf } from '../rollouts/queries.ts'
import { readBases, readBasesOf } from '../rollouts/read-bases.ts'
import { serveAt } from '../rollouts/split-of.ts'

export interface Trial {
  plan: BackTestPlan
  metrics: readonly JudgedMetric[]
  environment: EnvironmentRow
  flag: string
  runs: number
}

type Needed = Pick<Services, 'db' | 'telemetry' | 'clock' | 'log'>

/** Throws `not-found`. */
export async function findTrialOfRollout(
  services: Needed,
  { projectId, rollout, runs }: { projectId: string; rollout: string; runs: number | undefined },
): Promise<Trial> {
  const { row, environment: at, flag } = await getRollout(services.db, projectId, rollout)
  const environment = await getEnvironment(services.db, { projectId, key: at.key })
  const config = draftOf(await getConfig(services.db, row))
  // The frozen definitions, or those that would be frozen if it started now.
  const frozen = judgedOf(row)
  const bases =
    frozen.length > 0 ? new Map<string, BaseOfMetric>() : await readBases(services, { projectId, id: row.id })
  return {
    plan: planOf(row.draft, poolAt(config, row)),
    metrics: frozen.length > 0 ? frozen : await freeze(services, { projectId, draft: row.draft, bases }),
    environment,
    flag: flag.key,
    runs: runs ?? limits.backTestRuns,
  }
}

interface PlanRequest {
  project: { id: string; key: string }
  params: { env: string; flag: string }
  body: BodyOf<typeof backTestPlan>
}

/** Throws `not-found` and `invalid-rollout`. */
export async function findTrialOfPlan(
  services: Needed,
  { project, params, body }: PlanRequest,
): Promise<Trial> {
  const { environment, flag } = await resolveConfigRef(services.db, { ...params, project })
  const config = draftOf(await getConfig(services.db, { flagId: flag.id, environmentId: environment.id }))
  const definitions = await definitionsOf(services, project.id)
  const checked = checkPlan(body.plan, { flag, config, definitions, author: '' })
  const { draft } = checked
  const at = { projectId: project.id, environment, flag: flag.key }
  const bases = await readBasesOf(services, { ...at, planned: draft.metrics })
  return {
    plan: planOf(draft, poolAt(config, checked)),
    metrics: await freeze(services, { projectId: project.id, draft, bases }),
    environment,
    flag: flag.key,
    runs: body.runs ?? limits.backTestRuns,
  }
}

function planOf({ stages, metrics, alpha, timeBox }: RolloutDraft, pool: number): BackTestPlan {
  // After a rollout has ended, the configuration may serve anything.
  return { stages, metrics, alpha, timeBox, pool: Math.max(pool, stages.at(-1)?.weight ?? 0) }
}

function poolAt(
  config: Parameters<typeof serveAt>[0],
  { place, ...arms }: { place: string; control: string; treatment: string },
): number {
  const serve = serveAt(config, place)
  return serve !== undefined && 'split' in serve ? poolOf(serve.split, arms) : limits.weightTotal
}

async function freeze(
  services: Needed,
  {
    projectId,
    draft,
    bases,
  }: { projectId: string; draft: RolloutDraft; bases: ReadonlyMap<string, BaseOfMetric> },
): Promise<JudgedMetric[]> {
  const definitions = await definitionsOf(services, projectId)
  return draft.metrics.flatMap(({ metric, limit }) =>
    definitions
      .filter(({ key }) => key === metric)
      .map((definition) => freezeMetric(definition, { limit, base: bases.get(metric) })),
  )
}
