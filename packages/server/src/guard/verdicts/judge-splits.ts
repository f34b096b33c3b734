// Judges the splits that no rollout guards, with the statistics of the guard. With several servers, a lease assigns
// each look to one of them. Nothing is decided here: only verdicts are stored, and regressions stay until the split
// changes.

import { freezeMetric } from '@telltale/core/guard/built-in-metrics'
import { judgePair, type PairVerdict, pairsOf } from '@telltale/core/guard/unguarded/judge-split'
import { alphaOfSplit } from '@telltale/core/guard/unguarded/split-budget'
import { usuallyGuarded } from '@telltale/core/guard/usual-plan'
import { limits } from '@telltale/core/limits'
import { isUsable } from '../../platform/engines/clickhouse/telemetry.ts'
import type { SplitSeen } from '../../platform/engines/postgres/unguarded-schema.ts'
import type { Services } from '../../platform/services.ts'
import { readEvidence } from '../evidence/read-evidence.ts'
import { quietReads } from '../looks/quiet-reads.ts'
import { metricsOf } from '../metrics/named-metrics.ts'
import {
  beginSplits,
  claimSplit,
  findOpen,
  forgetOthers,
  keepLook,
  type OpenSplit,
  postpone,
  takeOrdinal,
  type UnguardedRow,
} from './queries.ts'
import { countMeasurements, readUsersPerHour } from './read-activity.ts'

type JudgeServices = Pick<Services, 'db' | 'telemetry' | 'clock' | 'log'>

export async function judgeSplits(services: JudgeServices): Promise<void> {
  const { db, telemetry, clock, log } = services
  const found = await noteOpen(services)
  // Later than the rows of new splits.
  const by = clock()
  if (found.length === 0 || !isUsable(telemetry.state().state)) return
  const open = new Map(found.map(({ split }) => [split.id, split]))
  const counts = await passQuiet(services, found, by)
  // Sequentially, to spare the shared engine. A split that was judged or failed is not due again in this pass.
  for (let looks = 0; looks < limits.unguardedLooks; looks += 1) {
    const row = await claimSplit(db, { by, now: clock() })
    if (row === undefined) return
    const split = open.get(row.splitId)
    if (split === undefined || split.epoch !== row.epoch) continue
    try {
      await lookAt(services, { split, row, measurements: counts.get(String(split.id)) ?? 0 })
    } catch (error) {
      // Its lease expires, and a server tries again.
      log.warn({ err: error, split: String(split.id), flag: split.flag }, 'a split could not be judged')
    }
  }
}

/** Due splits without new measurements need no look. Returns the measurements of the due ones. */
async function passQuiet(
  { db, telemetry, clock }: JudgeServices,
  found: Found,
  by: Date,
): Promise<ReadonlyMap<string, number>> {
  const due = found.flatMap(({ split, row }) => (row !== null && row.nextAt <= by ? [{ split, row }] : []))
  const counts = await countMeasurements(
    quietReads(telemetry),
    due.map(({ split }) => refOf(split)),
  )
  const quiet = due.filter(({ split, row }) => (counts.get(String(split.id)) ?? 0) === row.measurements)
  const now = clock()
  await postpone(
    db,
    quiet.map(({ split }) => split.id),
    { by, now, nextAt: after(now, limits.unguardedInterval) },
  )
  return counts
}

const refOf = ({ id, environmentId, epoch }: OpenSplit) => ({ environmentId, split: String(id), epoch })

type Found = Awaited<ReturnType<typeof findOpen>>

/** The open splits, each with its row. */
async function noteOpen({ db, clock }: JudgeServices): Promise<Found> {
  const found = await findOpen(db)
  const metrics = new Map<string, Awaited<ReturnType<typeof frozenMetrics>>>()
  const rows = []
  for (const { split, row } of found) {
    if (row !== null) continue
    const judged = metrics.get(split.projectId) ?? (await frozenMetrics(db, split.projectId))
    metrics.set(split.projectId, judged)
    rows.push({ splitId: split.id, epoch: split.epoch, judged, nextAt: clock() })
  }
  await beginSplits(db, rows)
  await forgetOthers(db)
  return rows.length === 0 ? found : findOpen(db)
}

/** Those that a rollout guards by default, and the custom ones. */
async function frozenMetrics(db: Services['db'], projectId: string) {
  const named = await metricsOf({ db }, projectId)
  return named
    .filter(({ isOwn, definition }) => isOwn || usuallyGuarded.has(definition.key))
    .map(({ definition }) => freezeMetric(definition, { limit: definition.limit, base: undefined }))
}

async function lookAt(
  { db, telemetry, clock }: JudgeServices,
  { split, row, measurements }: { split: OpenSplit; row: UnguardedRow; measurements: number },
): Promise<void> {
  const now = clock()
  const began = performance.now()
  const reads = quietReads(telemetry)
  const pairs = await judge({ db, telemetry: reads }, split, row)
  const users = pairs.some(({ excess }) => excess !== null)
    ? await readUsersPerHour(reads, { ...refOf(split), startedAt: split.startedAt }, now)
    : new Map<string, number>()
  const seen: SplitSeen = {
    at: now.toISOString(),
    pairs: pairs.map((pair) => ({ ...pair, harm: harmOf(pair, users) })),
  }
  const rest = Math.max(limits.unguardedInterval, limits.unguardedWork * (performance.now() - began))
  await keepLook(db, row, {
    seen,
    measurements,
    nextAt: after(clock(), Math.min(rest, limits.unguardedLongest)),
  })
}

const after = (now: Date, span: number) => new Date(now.getTime() + span)

async function judge(
  { db, telemetry }: { db: Services['db']; telemetry: Pick<Services['telemetry'], 'read'> },
  split: OpenSplit,
  row: UnguardedRow,
): Promise<PairVerdict[]> {
  const { environmentId, epoch, startedAt, arms, projectId } = split
  const known = new Set((await metricsOf({ db }, projectId)).map(({ definition }) => definition.key))
  const metrics = row.judged.filter(({ metric }) => known.has(metric))
  const weightOf = (name: string) => arms.find(({ variation }) => variation === name)?.weight ?? 0
  const pairs = pairsOf(split)
  const evidence = []
  for (const pair of pairs) {
    const [treatment, control] = [weightOf(pair.treatment), weightOf(pair.control)]
    const share = treatment / (treatment + control)
    const compared = {
      environmentId,
      split: String(split.id),
      ...pair,
      epochs: [{ epoch, share, startedAt }],
    }
    const { exposures, heard, metrics: found } = await readEvidence(telemetry, compared, metrics)
    evidence.push({ pair, units: exposures.units, exposures: exposures.stages, heard, metrics: found })
  }
  const users = evidence.reduce((sum, { units }) => sum + units.treatment, evidence[0]?.units.control ?? 0)
  const isEnough = row.ordinal !== null || users >= limits.unguardedUnits
  const ordinal = row.ordinal ?? (isEnough ? await takeOrdinal(db, row, environmentId) : undefined)
  return evidence.map(({ pair, ...found }) => {
    const before = row.seen?.pairs.find((one) => isSame(one, pair))
    if (ordinal === undefined) return waiting(pair, found.units)
    const alpha = alphaOfSplit(ordinal) / pairs.length
    return judgePair(pair, { metrics, evidence: found, alpha }, before)
  })
}

const isSame = (one: Pick<PairVerdict, 'treatment' | 'control'>, other: typeof one) =>
  one.treatment === other.treatment && one.control === other.control

/** No statistic is read before the split has its part of the budget. */
const waiting = (
  pair: Pick<PairVerdict, 'treatment' | 'control'>,
  units: PairVerdict['units'],
): PairVerdict => ({ ...pair, units, findings: [], regressed: [], splitWrong: null, excess: null })

function harmOf({ excess, treatment }: PairVerdict, users: ReadonlyMap<string, number>) {
  return excess && { metric: excess.metric, usersPerHour: excess.share * (users.get(treatment) ?? 0) }
}
