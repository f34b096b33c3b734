// Looks at every running rollout periodically and carries out the decisions. With several servers, a lease
// assigns each rollout to one of them; a server that lost its lease decides nothing. After an error the next
// look tries again, and the rollout does not advance in between.
import { randomUUID } from 'node:crypto'
import { lookAt } from '@telltale/core/guard/look'
import type { Look } from '@telltale/core/guard/rollout'
import { limits } from '@telltale/core/limits'
import type { Intake } from '../../intake/events/intake.ts'
import { findSamplings } from '../../organisation/quotas/queries.ts'
import { isUsable } from '../../platform/engines/clickhouse/telemetry.ts'
import { startRepeating } from '../../platform/process/repeat.ts'
import type { Services } from '../../platform/services.ts'
import { countArms } from '../../release/flags/evaluation-queries.ts'
import { findSpent } from '../harm-budget/find-spent.ts'
import { applyTurn } from '../rollouts/apply-turn.ts'
import { findRunning } from '../rollouts/queries.ts'
import { type Observation, observe } from './observe.ts'
import { findHeld, returnLeases, shareSpoolLag, takeLeases } from './queries.ts'
import { quietReads } from './quiet-reads.ts'
import { prepareWatched, type WatchedRollout } from './watched-rollout.ts'

export interface GuardCondition {
  /** End of the last look at all rollouts of this server; undefined before the first one. */
  lookedAt: Date | undefined
  /** Duration of that look, in milliseconds. */
  duration: number
  /** Rollouts guarded by this server. */
  rollouts: number
  /** Failed looks, at all rollouts or at one, since the start. */
  failures: number
  /** The problem to show; absent when everything works. */
  reason?: string
}

export interface Guard {
  /** Looks at all rollouts now, after a running look. */
  look(): Promise<void>
  condition(): GuardCondition
  /** Returns the leases of this server. */
  stop(): Promise<void>
}

type GuardServices = Pick<Services, 'config' | 'db' | 'telemetry' | 'clock' | 'log'> & {
  intake: Pick<Intake, 'condition'>
}

export function startGuard(services: GuardServices): Guard {
  const { config, db, log } = services
  const every = config.guardInterval
  const lease = { holder: randomUUID(), span: Math.max(limits.guardLease, 3 * every) }
  const startedAt = performance.now()
  let lookedAt: Date | undefined
  let endedAt = startedAt
  let duration = 0
  let rollouts = 0
  let failures = 0
  let failure: string | undefined

  const lookOnce = async () => {
    const began = performance.now()
    try {
      const done = await lookAtAll(services, lease)
      rollouts = done.rollouts
      failures += done.failed.length
      failure = done.failed[0]
      lookedAt = services.clock()
      endedAt = performance.now()
      duration = endedAt - began
    } catch (error) {
      failures += 1
      failure = error instanceof Error ? error.message : String(error)
      throw error
    }
  }
  let last = Promise.resolve()
  const look = () => {
    last = last.catch(() => undefined).then(lookOnce)
    return last
  }
  const stopRepeating = startRepeating(log, { what: 'evaluating rollouts', every }, look)

  return {
    look,
    condition() {
      const silence = performance.now() - endedAt
      const isLate = silence > Math.max(limits.guardLate, 6 * every)
      const late = isLate ? `no look for ${Math.round(silence / 1_000)} s` : undefined
      const reason = failure ?? late
      return { lookedAt, duration, rollouts, failures, ...(reason !== undefined && { reason }) }
    },
    async stop() {
      await stopRepeating()
      await returnLeases(db, lease.holder).catch((error: unknown) =>
        log.warn({ err: error }, 'others wait until this server is known to be gone'),
      )
    },
  }
}

interface Done {
  rollouts: number
  /** Why rollouts could not be looked at; one entry for each. */
  failed: string[]
}

async function lookAtAll(services: GuardServices, lease: { holder: string; span: number }): Promise<Done> {
  const { db, telemetry, intake, clock, log } = services
  const spoolLag = await shareSpoolLag(db, lease.holder, intake.condition().behind)
  const leased = await takeLeases(db, lease)
  if (leased.size === 0) return { rollouts: 0, failed: [] }
  const placed = (await findRunning(db)).filter(({ row }) => leased.has(row.id))
  const watched = await prepareWatched(db, placed)

  const now = clock()
  const evaluations = await countEvaluations(services, watched, now)
  const shares = await findStoredShares(services, watched, now)
  const spent = await findSpent(
    db,
    watched.map(({ placed: { row } }) => row.environmentId),
    now,
  )
  const sights = isUsable(telemetry.state().state)
    ? await observe({ telemetry: quietReads(telemetry), log, now }, watched)
    : new Map<string, Observation>()
  // Reading takes time, and leases may have expired since.
  const held = await findHeld(db, lease.holder)
  const failed: string[] = []
  for (const one of watched) {
    const { row } = one.placed
    if (!held.has(row.id)) continue
    const storedShare = shares.get(row.environmentId)
    const signal = { spoolLag, evaluations: evaluations.get(row.id) ?? 0, storedShare }
    try {
      await decide(
        services,
        one,
        lookOf(one, sights.get(row.id), {
          ...{ now: now.getTime(), signal },
          isBudgetSpent: spent.has(row.environmentId),
        }),
      )
    } catch (error) {
      log.error({ err: error, rollout: row.id }, 'a decision of the guard could not be saved: looking again')
      failed.push(error instanceof Error ? error.message : String(error))
    }
  }
  return { rollouts: watched.length, failed }
}

function lookOf(
  { flag }: WatchedRollout,
  observation: Observation | undefined,
  {
    signal,
    ...rest
  }: Pick<Look, 'now' | 'isBudgetSpent'> & {
    signal: Pick<Look['signal'], 'spoolLag' | 'evaluations' | 'storedShare'>
  },
): Look {
  const noUsers = { heard: { treatment: 0, control: 0 }, expected: undefined, isFresh: false }
  return {
    ...rest,
    flag,
    signal: { ...signal, ...(observation?.heard ?? noUsers) },
    evidence: observation?.evidence,
  }
}

async function decide({ db, log }: GuardServices, { placed, plan, standing }: WatchedRollout, look: Look) {
  const turn = lookAt(plan, standing, look)
  const isKept = await applyTurn(db, {
    before: placed,
    turn,
    evidence: look.evidence,
    now: new Date(look.now),
  })
  if (!isKept) return
  for (const { action, reason, metric } of turn.decisions) {
    const { project, environment, flag, row } = placed
    const what = { rollout: row.id, project: project.key, environment: environment.key, flag: flag.key }
    log.info({ ...what, action, reason, metric }, 'the guard decided')
  }
}

/** Recent evaluations of both arms, on all servers. */
async function countEvaluations(
  { db }: GuardServices,
  watched: readonly WatchedRollout[],
  now: Date,
): Promise<Map<string, number>> {
  const splitIds = watched.flatMap(({ arms }) => (arms === undefined ? [] : [BigInt(arms.split)]))
  const since = new Date(now.getTime() - limits.guardFreshness)
  const counted = await countArms(db, { splitIds, since })
  return new Map(
    watched.map(({ placed, arms }) => {
      const of = counted.get(arms?.split ?? '')
      const count = (variation = '') => of?.get(variation) ?? 0
      return [placed.row.id, count(arms?.treatment) + count(arms?.control)]
    }),
  )
}

/** By environment, the smallest share of sessions that quotas and spikes left lately. */
async function findStoredShares(
  { db }: GuardServices,
  watched: readonly WatchedRollout[],
  now: Date,
): Promise<Map<string, number>> {
  const from = new Date(now.getTime() - limits.guardFreshness)
  const shares = new Map<string, number>()
  for (const { placed } of watched) {
    const [projectId, environmentId] = [placed.project.id, placed.row.environmentId]
    if (shares.has(environmentId)) continue
    const wanted = { projectId, environmentId, from, count: limits.samplingsShown }
    const samplings = await findSamplings(db, wanted)
    shares.set(environmentId, Math.min(1, ...samplings.map(({ row }) => row.share)))
  }
  return shares
}
