import { problem } from '@telltale/core/errors'
import type { ExperimentState } from '@telltale/core/states/experiment'
import { and, asc, desc, eq, gte, lte, ne, sql } from 'drizzle-orm'
import { lockProject } from '../../access/find-project.ts'
import { experiments, layers } from '../../platform/engines/postgres/experiment-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import {
  environments,
  flagConfigs,
  flags,
  projects,
  splitEpochs,
} from '../../platform/engines/postgres/schema.ts'

export type ExperimentRow = typeof experiments.$inferSelect

/** An experiment with its project, environment and flag. */
export interface PlacedExperiment {
  row: ExperimentRow
  project: { id: string; key: string }
  environment: { id: string; key: string }
  flag: { id: string; key: string; name: string; archivedAt: Date | null }
  layer: { id: string; key: string; name: string; by: string } | null
  /** It runs, and the flag no longer has its split. */
  splitRemoved: boolean
  /** It runs, and the flag is off. */
  flagOff: boolean
  /** It runs and compares them, and its split no longer serves them. */
  goneVariations: string[]
}

/** Of an experiment that does not run, nothing is missing. */
export const uninterrupted = {
  splitRemoved: false,
  flagOff: false,
  goneVariations: [],
} satisfies Partial<PlacedExperiment>

const isSplitServed = sql`EXISTS (SELECT 1 FROM ${splitEpochs} WHERE ${splitEpochs.splitId} = ${experiments.split}::bigint AND ${splitEpochs.endedAt} IS NULL)`

const isFlagOn = sql`EXISTS (SELECT 1 FROM ${flagConfigs} WHERE ${flagConfigs.flagId} = ${experiments.flagId} AND ${flagConfigs.environmentId} = ${experiments.environmentId} AND ${flagConfigs.enabled})`

const goneVariations = sql<string[]>`coalesce((
  SELECT jsonb_agg(arm->>'variation') FROM split_epochs first, jsonb_array_elements(first.arms) arm
  WHERE ${experiments.state} = 'running' AND first.split_id = ${experiments.split}::bigint AND first.epoch = ${experiments.firstEpoch}
    AND (arm->>'weight')::int > 0
    AND EXISTS (SELECT 1 FROM split_epochs now WHERE now.split_id = first.split_id AND now.ended_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM jsonb_array_elements(now.arms) served
        WHERE served->>'variation' = arm->>'variation' AND (served->>'weight')::int > 0))), '[]')`

const placed = (db: Queryable) =>
  db
    .select({
      row: experiments,
      project: { id: projects.id, key: projects.key },
      environment: { id: environments.id, key: environments.key },
      flag: { id: flags.id, key: flags.key, name: flags.name, archivedAt: flags.archivedAt },
      layer: { id: layers.id, key: layers.key, name: layers.name, by: layers.by },
      splitRemoved: sql<boolean>`${experiments.state} = 'running' AND NOT ${isSplitServed}`,
      flagOff: sql<boolean>`${experiments.state} = 'running' AND NOT ${isFlagOn}`,
      goneVariations,
    })
    .from(experiments)
    .innerJoin(projects, eq(projects.id, experiments.projectId))
    .innerJoin(environments, eq(environments.id, experiments.environmentId))
    .innerJoin(flags, eq(flags.id, experiments.flagId))
    .leftJoin(layers, eq(layers.id, experiments.layerId))

interface ExperimentRef {
  projectId: string
  id: string
}

const isOne = ({ projectId, id }: ExperimentRef) =>
  and(eq(experiments.projectId, projectId), eq(experiments.id, id))

const noExperiment = () => problem('not-found', 'There is no such experiment.')

/** Throws `not-found`. */
export async function getExperiment(db: Queryable, ref: ExperimentRef): Promise<PlacedExperiment> {
  const [found] = await placed(db).where(isOne(ref))
  if (found === undefined) throw noExperiment()
  return found
}

/** Locks the experiment and all flags of its project against changes. Throws `not-found`. */
export async function lockExperiment(db: Queryable, ref: ExperimentRef): Promise<PlacedExperiment> {
  await lockProject(db, ref.projectId)
  const [found] = await placed(db).where(isOne(ref)).for('update', { of: experiments })
  if (found === undefined) throw noExperiment()
  return found
}

interface ExperimentFilter {
  env?: string | undefined
  flag?: string | undefined
  state?: ExperimentState | undefined
}

/** Newest first. */
export async function findExperiments(
  db: Queryable,
  projectId: string,
  { env, flag, state }: ExperimentFilter,
): Promise<PlacedExperiment[]> {
  return placed(db)
    .where(
      and(
        eq(experiments.projectId, projectId),
        env === undefined ? undefined : eq(environments.key, env),
        flag === undefined ? undefined : eq(flags.key, flag),
        state === undefined ? undefined : eq(experiments.state, state),
      ),
    )
    .orderBy(desc(experiments.id))
}

/** Running ones that no longer get users, or get them again, and of which channels do not know it yet. */
export async function findUnnoted(db: Queryable): Promise<PlacedExperiment[]> {
  const running = await placed(db).where(eq(experiments.state, 'running'))
  return running.filter((one) => isInterrupted(one) !== (one.row.interruptedAt !== null))
}

export function isInterrupted({
  flag,
  splitRemoved,
  flagOff,
  goneVariations,
}: Pick<PlacedExperiment, 'flag' | 'splitRemoved' | 'flagOff' | 'goneVariations'>): boolean {
  return flag.archivedAt !== null || splitRemoved || flagOff || goneVariations.length > 0
}

export async function countExperiments(db: Queryable, projectId: string): Promise<number> {
  return db.$count(experiments, eq(experiments.projectId, projectId))
}

/** Throws `already-exists` for the name of another experiment of the project. */
export async function refuseTakenName(
  db: Queryable,
  { projectId, id, name }: ExperimentRef & { name: string },
): Promise<void> {
  const taken = await db.$count(
    experiments,
    and(eq(experiments.projectId, projectId), eq(experiments.name, name), ne(experiments.id, id)),
  )
  if (taken > 0) throw problem('already-exists', `There is an experiment named "${name}" already.`)
}

export interface CountedEpoch {
  epoch: number
  startedAt: Date
  endedAt: Date | null
  arms: { variation: string; weight: number }[]
}

/** The epochs of its split that count, oldest first: all since its start, also those with other weights. */
export async function findCountedEpochs(
  db: Queryable,
  { split, firstEpoch, lastEpoch }: Pick<ExperimentRow, 'split' | 'firstEpoch' | 'lastEpoch'>,
): Promise<CountedEpoch[]> {
  if (split === null || firstEpoch === null) return []
  const rows = await db
    .select({
      epoch: splitEpochs.epoch,
      startedAt: splitEpochs.startedAt,
      endedAt: splitEpochs.endedAt,
      arms: splitEpochs.arms,
    })
    .from(splitEpochs)
    .where(
      and(
        eq(splitEpochs.splitId, BigInt(split)),
        gte(splitEpochs.epoch, firstEpoch),
        lastEpoch === null ? undefined : lte(splitEpochs.epoch, lastEpoch),
      ),
    )
    .orderBy(asc(splitEpochs.epoch))
  // Only arms are ever stored there.
  return rows.map((row) => ({ ...row, arms: row.arms as CountedEpoch['arms'] }))
}
