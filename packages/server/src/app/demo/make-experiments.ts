// The experiments of the demo, by the operations that members use, each at its time. What they found is read from the
// history once it is there.

import { grantOf } from '@telltale/core/rights'
import { eq } from 'drizzle-orm'
import { createExperiment } from '../../guard/experiments/create-experiment.ts'
import { endExperiment } from '../../guard/experiments/end-experiment.ts'
import { freezeGoals } from '../../guard/experiments/fix-measures.ts'
import { findExperiments } from '../../guard/experiments/queries.ts'
import { readResults } from '../../guard/experiments/read-results.ts'
import { startExperiment } from '../../guard/experiments/start-experiment.ts'
import { definitionsOf } from '../../guard/metrics/named-metrics.ts'
import type { ChangeOrigin } from '../../platform/engines/postgres/change.ts'
import { experiments } from '../../platform/engines/postgres/experiment-schema.ts'
import type { Db } from '../../platform/engines/postgres/open.ts'
import type { Services } from '../../platform/services.ts'
import type { DemoExperiment } from './demo.ts'
import type { Step } from './make-rollout.ts'

interface MadeExperiment {
  project: { id: string; key: string }
  env: string
  experiment: DemoExperiment
  by: (name: string, ago: number) => ChangeOrigin
}

/** After the changes that split the flag. */
export function stepsOfExperiment(db: Db, { project, env, experiment, by }: MadeExperiment): Step[] {
  const { flag, name, hypothesis, goals, days, end } = experiment
  let id = ''
  const begin = async () => {
    const origin = by(experiment.by, experiment.ago)
    const place = { project, grant: grantOf('admin'), env, flag } as const
    const given = { name, hypothesis, goals: [...goals], days }
    id = (await createExperiment(db, origin, { place, given })).id
    const definitions = await definitionsOf({ db }, project.id)
    const judged = freezeGoals(goals, definitions, new Map(Object.entries(experiment.bases)))
    await startExperiment(db, origin, { project, grant: grantOf('admin'), id, judged })
  }
  const finish = async ({ ago, variation, note }: NonNullable<typeof end>) => {
    const origin = by(experiment.by, ago)
    const results = { at: origin.now.toISOString(), arms: [], days: [] }
    await endExperiment(db, origin, {
      project,
      grant: grantOf('admin'),
      id,
      decision: { variation, note },
      results,
    })
  }
  return [
    { ago: experiment.ago, make: begin },
    ...(end === undefined ? [] : [{ ago: end.ago, make: () => finish(end) }]),
  ]
}

/** Keeps the results of ended experiments, from the epochs that counted. */
export async function keepResults(
  services: Pick<Services, 'db' | 'telemetry'>,
  { projectId, timeZone }: { projectId: string; timeZone: string },
): Promise<void> {
  for (const placed of await findExperiments(services.db, projectId, { state: 'ended' })) {
    const { row } = placed
    if (row.results !== null && row.results.arms.length > 0) continue
    const clock = () => row.endedAt ?? row.updatedAt
    const found = await readResults(
      { ...services, clock },
      { ...placed, row: { ...row, results: null } },
      timeZone,
    )
    await services.db.update(experiments).set({ results: found }).where(eq(experiments.id, row.id))
  }
}
