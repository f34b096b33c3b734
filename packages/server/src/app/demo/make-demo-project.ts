// Creates the demo's project by the operations that members use, each at its time and under its author's name.

import { randomUUID } from 'node:crypto'
import { grantOf } from '@telltale/core/rights'
import { findProject, type ProjectRow } from '../../access/find-project.ts'
import { setBudget } from '../../guard/harm-budget/set-budget.ts'
import { returnLeases } from '../../guard/looks/queries.ts'
import { createMetric } from '../../guard/metrics/create-metric.ts'
import { rolloutPolicy } from '../../guard/rollouts/rollout-policy.ts'
import { createDeploy } from '../../monitoring/deploys/create-deploy.ts'
import { getEnvironment } from '../../organisation/environments/queries.ts'
import { updateEnvironment } from '../../organisation/environments/update-environment.ts'
import { createKey } from '../../organisation/keys/create-key.ts'
import { addProject } from '../../organisation/projects/create-project.ts'
import { deleteProject } from '../../organisation/projects/delete-project.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import type { Db } from '../../platform/engines/postgres/open.ts'
import { saveConfig } from '../../release/change-requests/save-config.ts'
import { draftOf } from '../../release/flags/config-draft.ts'
import { createFlag } from '../../release/flags/create-flag.ts'
import { getConfig, getFlag } from '../../release/flags/queries.ts'
import { createSegment } from '../../release/segments/create-segment.ts'
import { addPeople } from './add-people.ts'
import type { DemoChange, DemoDeploy, DemoProject } from './demo.ts'
import { type FoundDemo, findDemo, marks, setMark } from './find-demo.ts'
import { makeAlerts } from './make-alerts.ts'
import { makeDashboards } from './make-dashboards.ts'
import { stepsOfExperiment } from './make-experiments.ts'
import { stepsOfRollout } from './make-rollout.ts'
import { makeViews } from './make-views.ts'

const system = { kind: 'system', id: null, name: 'Telltale' } as const

/** Finds the project of an earlier start, or creates it. */
export async function makeDemoProject(db: Db, demo: DemoProject, now: Date): Promise<FoundDemo> {
  const found = await findDemo(db)
  if (found?.isWhole) return found
  if (found !== undefined) {
    const { key } = found.project
    await deleteProject(db, { actor: system, requestId: null, now }, { key, confirm: key })
  }

  const by = (name: string, ago: number) => ({
    actor: { kind: 'user', id: null, name } as const,
    requestId: null,
    now: new Date(now.getTime() - ago),
  })
  const begun = demo.begunAgo
  const key = await findFreeKey(db, demo.key)
  const project = await beginProject(db, by(demo.by, begun), { key, name: demo.name, now })

  const { environment: env, timeZone, sampling } = demo
  const update = { project, env, draft: { timeZone, sampling }, ifMatch: undefined }
  await updateEnvironment(db, by(demo.by, begun), update)
  for (const { by: author, kind, label } of demo.keys) {
    await createKey(db, by(author, begun), { project, env, kind, label })
  }
  for (const draft of demo.segments) await createSegment(db, by(demo.by, begun), { project, draft })
  for (const { by: author, ...draft } of demo.flags)
    await createFlag(db, by(author, begun), { project, draft })
  const people = await addPeople(db, by(demo.by, begun), { project, people: demo.people })
  for (const { by: author, ...draft } of demo.metrics)
    await createMetric(db, by(author, begun), { project, draft })
  const aboutAlerts = await makeAlerts(db, { project, demo, by, now })
  await setBudget(db, by(demo.by, begun), {
    ...{ project, env },
    given: { amount: 200, unit: 'users', policy: 'warn' },
  })
  const holder = randomUUID()
  const steps = [
    ...demo.changes.map((change) => ({
      ago: change.ago,
      make: () => makeChange(db, by(change.by, change.ago), { project, change }),
    })),
    ...demo.deploys.map((deploy) => ({
      ago: deploy.ago,
      make: () => reportDeploy(db, by(deploy.by, deploy.ago), { project, env, deploy }),
    })),
    ...aboutAlerts,
    ...makeDashboards(db, { project, dashboards: demo.dashboards, by, people }),
    ...demo.experiments.flatMap((experiment) => stepsOfExperiment(db, { project, env, experiment, by })),
    ...makeViews(db, { project, views: demo.views, by, people }),
    ...demo.rollouts.flatMap((rollout) => stepsOfRollout(db, { project, env, rollout, holder, people, now })),
  ]
  for (const { make } of steps.toSorted((a, b) => b.ago - a.ago)) await make()
  await returnLeases(db, holder)
  await setMark(db, marks.whole(project.id), now)
  return { project, begunAt: now, isWhole: true, hasHistory: false, isDecided: false }
}

/** Creates the project and marks it as the demo's, in one transaction. */
const beginProject = change(async (context, { now, ...draft }: { key: string; name: string; now: Date }) => {
  const { row, changes } = await addProject(context, draft)
  await setMark(context.db, marks.begun(row.id), now)
  return { reply: row, changes }
})

async function findFreeKey(db: Db, key: string): Promise<string> {
  const candidates = [key, `${key}-demo`, `${key}-demo-2`]
  for (const candidate of candidates) if (!(await findProject(db, candidate))) return candidate
  throw new Error(`The demo finds no free key for its project: ${candidates.join(', ')} are taken.`)
}

async function reportDeploy(
  db: Db,
  origin: Parameters<typeof createDeploy>[1],
  { project, env, deploy }: { project: ProjectRow; env: string; deploy: DemoDeploy },
): Promise<void> {
  const environment = await getEnvironment(db, { projectId: project.id, key: env })
  const { version, by: author, commits } = deploy
  await createDeploy(db, origin, { project, environment, deploy: { version, author, commits } })
}

async function makeChange(
  db: Db,
  origin: Parameters<typeof saveConfig>[1],
  { project, change: { env, flag: key, reason, config } }: { project: ProjectRow; change: DemoChange },
): Promise<void> {
  const environment = await getEnvironment(db, { projectId: project.id, key: env })
  const flag = await getFlag(db, project.id, key)
  const current = await getConfig(db, { flagId: flag.id, environmentId: environment.id })
  await saveConfig(db, origin, {
    review: rolloutPolicy.reviewConfig,
    place: { project, grant: grantOf('admin'), env, flag: key },
    author: { id: '', name: origin.actor.name },
    draft: { ...draftOf(current), ...config, version: current.version, reason },
    ifMatch: undefined,
  })
}
