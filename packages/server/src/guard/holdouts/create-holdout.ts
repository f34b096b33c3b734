import type { BodyOf } from '@telltale/core/contract/call'
import type { createHoldout as createHoldoutCall } from '@telltale/core/contract/holdouts'
import { type Fault, problem } from '@telltale/core/errors'
import { freezeMetric, type MetricDefinition } from '@telltale/core/guard/built-in-metrics'
import { limits } from '@telltale/core/limits'
import type { Grant } from '@telltale/core/rights'
import { v7 as newId } from 'uuid'
import { lockProject } from '../../access/find-project.ts'
import { getEnvironment } from '../../organisation/environments/queries.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { holdouts } from '../../platform/engines/postgres/holdout-schema.ts'
import { checkMayChange, refuseUnproposed } from '../../release/flags/config-ref.ts'
import { definitionsOf } from '../metrics/named-metrics.ts'
import { holdoutChange, toHoldout } from './holdout.ts'
import { newUsers } from './new-users.ts'
import { findFlagKeys, findHoldouts, type HoldoutRow, type PlacedHoldout } from './queries.ts'
import { refuseEndless } from './refuse-endless.ts'

type Given = BodyOf<typeof createHoldoutCall>

interface HoldoutCreation {
  project: { id: string; key: string }
  grant: Grant
  env: string
  given: Given
}

/** It begins at once. Throws `not-found`, `forbidden`, `already-exists`, `in-use` and `invalid-experiment`. */
export const createHoldout = change(
  async ({ db, now, actor }, { project, grant, env, given }: HoldoutCreation) => {
    await lockProject(db, project.id)
    const environment = await getEnvironment(db, { projectId: project.id, key: env })
    checkMayChange(environment, grant)
    refuseUnproposed(environment, grant)
    const { days = null, whenOver = 'continue' } = given
    refuseEndless({ days, whenOver })
    refuseTooMany(await findHoldouts(db, project.id, undefined), { env, key: given.key })
    const flagIds = flagsOf(given, await findFlagKeys(db, project.id))
    const chosen = metricsOf(given, await definitionsOf({ db }, project.id))
    const row: HoldoutRow = {
      id: newId(),
      projectId: project.id,
      environmentId: environment.id,
      key: given.key,
      name: given.name,
      description: given.description ?? '',
      share: given.share,
      flagIds,
      ...{ days, whenOver, follows: null },
      state: 'running',
      ...newUsers(),
      judged: chosen.map((one) => freezeMetric(one, { limit: one.limit, base: undefined })),
      results: null,
      ...{ createdBy: actor.name, endedBy: null },
      ...{ createdAt: now, updatedAt: now, endedAt: null },
    }
    await db.insert(holdouts).values(row)
    const after: PlacedHoldout = {
      row,
      environment: { id: environment.id, key: environment.key, isFlagsmith: environment.flagsmith !== null },
    }
    return { reply: await toHoldout(db, after), changes: holdoutChange('start', { project, after }) }
  },
)

function refuseTooMany(all: readonly PlacedHoldout[], { env, key }: { env: string; key: string }): void {
  if (all.some(({ row }) => row.key === key))
    throw problem('already-exists', `The holdout "${key}" already exists in the project.`)
  const running = all.filter(({ row, environment }) => row.state === 'running' && environment.key === env)
  if (running.length >= limits.holdouts)
    throw problem('in-use', `An environment has at most ${limits.holdouts} running holdouts: end one first.`)
}

function flagsOf({ flags }: Given, known: Awaited<ReturnType<typeof findFlagKeys>>): string[] | null {
  if (flags === undefined) return null
  const found = flags.map((key) => known.find((flag) => flag.key === key))
  refuse(
    found.flatMap((flag, index): Fault[] => {
      const pointer = `/flags/${index}`
      if (flag === undefined) return [{ pointer, message: 'The flag does not exist.' }]
      return flag.archivedAt === null ? [] : [{ pointer, message: 'The flag is archived.' }]
    }),
  )
  return [...new Set(found.flatMap((flag) => flag?.id ?? []))]
}

function metricsOf({ metrics }: Given, known: readonly MetricDefinition[]): MetricDefinition[] {
  refuse(
    metrics.flatMap((key, index): Fault[] =>
      known.some((one) => one.key === key)
        ? []
        : [{ pointer: `/metrics/${index}`, message: `There is no metric "${key}".` }],
    ),
  )
  return known.filter(({ key }) => metrics.includes(key))
}

function refuse(errors: Fault[]): void {
  if (errors.length > 0) throw problem('invalid-experiment', { errors })
}
