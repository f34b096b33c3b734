// Begins a sampling when an environment gets tenfold of what is usual at this hour, and ends it when that is over.

import { limits } from '@telltale/core/limits'
import { isSpike, isSpikeOver, usualEvents } from '@telltale/core/usage/detect-spike'
import { eq, sql } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import type { ChangeContext, EntityChange } from '../../platform/engines/postgres/change.ts'
import { usageSamplings } from '../../platform/engines/postgres/quota-schema.ts'
import { environments, projects } from '../../platform/engines/postgres/schema.ts'
import { usageHours } from '../../platform/engines/postgres/usage-schema.ts'

const hourLength = 3_600_000
const kept = limits.spikeKept / 100

interface Watched extends Record<string, unknown> {
  id: string
  key: string
  project_id: string
  project_key: string
  protected: boolean
  /** Of this hour so far, also those that were dropped. */
  events: number
  /** Of this hour, until a spike in it was over. */
  settled: number
  /** Of the same hour on past days, since the first event. */
  before: number[]
  sampling: string | null
  /** Milliseconds since 1970. */
  marked_at: number | null
  /** Events since then. */
  arrived: number | null
}

type Place = Pick<ChangeContext, 'db' | 'now'>

export async function settleSpikes({ db, now }: Place): Promise<EntityChange[]> {
  const changes: EntityChange[] = []
  for (const watched of await findWatched({ db, now })) {
    const settled =
      watched.sampling === null
        ? await begin({ db, now }, watched)
        : await followUp({ db, now }, watched, watched.sampling)
    if (settled !== undefined) changes.push(settled)
  }
  return changes
}

async function begin({ db, now }: Place, watched: Watched): Promise<EntityChange | undefined> {
  const usual = usualEvents(watched.before)
  if (!watched.protected || usual === undefined) return undefined
  if (!isSpike(watched.events - watched.settled, usual)) return undefined
  await db.insert(usageSamplings).values({
    id: newId(),
    projectId: watched.project_id,
    environmentId: watched.id,
    reason: 'spike',
    share: kept,
    pausesRecording: false,
    beganAt: now,
    markedAt: now,
    markedEvents: watched.events,
  })
  const events = watched.events.toLocaleString('en')
  return toChange(watched, 'spike.start', {
    summary: `${events} events this hour in ${watched.key}, usually ${Math.round(usual).toLocaleString('en')}. Only ${limits.spikeKept}% of sessions are stored until it is over.`,
    data: { events: watched.events, usual, share: kept },
  })
}

async function followUp(
  { db, now }: Place,
  watched: Watched,
  samplingId: string,
): Promise<EntityChange | undefined> {
  const span = now.getTime() - (watched.marked_at ?? 0)
  const sampling = eq(usageSamplings.id, samplingId)
  if (watched.protected && span < limits.spikeCheck) return undefined
  const marked = { markedAt: now, markedEvents: watched.events }
  const isOver = isSpikeOver({ arrived: watched.arrived ?? 0, span }, usualEvents(watched.before) ?? 0)
  if (!watched.protected || isOver) {
    await db
      .update(usageSamplings)
      .set({ ...marked, endedAt: now })
      .where(sampling)
    return toChange(watched, 'spike.end', {
      summary: watched.protected
        ? `The traffic of ${watched.key} is back to usual. All sessions are stored again.`
        : `The spike protection of ${watched.key} is off. All sessions are stored again.`,
      data: {},
    })
  }
  await db.update(usageSamplings).set(marked).where(sampling)
  return undefined
}

function toChange(
  { id, key, project_id, project_key }: Watched,
  action: 'spike.start' | 'spike.end',
  news: NonNullable<EntityChange['news']>,
): EntityChange {
  return {
    action,
    entity: { kind: 'spike', id, name: key },
    project: { id: project_id, key: project_key },
    environment: { id, key },
    news,
  }
}

/** Environments with events in this hour, and those that are sampled. */
async function findWatched({ db, now }: Place): Promise<Watched[]> {
  const hour = new Date(Math.floor(now.getTime() / hourLength) * hourLength).toISOString()
  const { rows } = await db.execute<Watched>(sql`
    SELECT ${environments.id} AS id, ${environments.key} AS key, ${projects.id} AS project_id,
      ${projects.key} AS project_key, ${environments.spikeProtection} AS protected,
      coalesce((SELECT h.events FROM ${usageHours} h
        WHERE h.environment_id = ${environments.id} AND h.hour = ${hour}::timestamptz), 0)::float8 AS events,
      ARRAY(SELECT coalesce(h.events, 0)::float8 FROM generate_series(1, ${limits.spikeDays}::integer) AS days (back)
        LEFT JOIN ${usageHours} h ON h.environment_id = ${environments.id}
          AND h.hour = ${hour}::timestamptz - days.back * interval '24 hours'
        WHERE ${hour}::timestamptz - days.back * interval '24 hours' >= (
          SELECT min(f.hour) FROM ${usageHours} f WHERE f.environment_id = ${environments.id})
      ) AS before,
      coalesce((SELECT e.marked_events FROM ${usageSamplings} e
        WHERE e.environment_id = ${environments.id} AND e.reason = 'spike' AND e.ended_at >= ${hour}::timestamptz
        ORDER BY e.ended_at DESC LIMIT 1), 0)::float8 AS settled,
      s.id AS sampling, extract(epoch FROM s.marked_at)::float8 * 1000 AS marked_at,
      (SELECT sum(h.events) FROM ${usageHours} h WHERE h.environment_id = ${environments.id}
        AND h.hour >= date_trunc('hour', s.marked_at, 'UTC'))::float8 - s.marked_events AS arrived
    FROM ${environments}
    JOIN ${projects} ON ${projects.id} = ${environments.projectId}
    LEFT JOIN ${usageSamplings} s ON s.environment_id = ${environments.id} AND s.reason = 'spike' AND s.ended_at IS NULL
    WHERE s.id IS NOT NULL OR EXISTS (SELECT 1 FROM ${usageHours} h
      WHERE h.environment_id = ${environments.id} AND h.hour = ${hour}::timestamptz)
    ORDER BY ${environments.id}`)
  return rows
}
