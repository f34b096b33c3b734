// The intake's interface to the rest of the server: accepts batches and reports its health.

import { join } from 'node:path'
import { limits } from '@telltale/core/limits'
import type { Reductions } from '../../organisation/quotas/reductions.ts'
import type { RecordingPlans } from '../../organisation/recording-plans/recording-plans.ts'
import { storeLearnedRule } from '../../organisation/route-rules/learn-route-rule.ts'
import type { SignedUserCounts } from '../../organisation/signed-users/count-signed-users.ts'
import type { UsageCounts } from '../../organisation/usage/count-usage.ts'
import { dataPaths } from '../../platform/data-folder/paths.ts'
import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'
import type { Db } from '../../platform/engines/postgres/open.ts'
import type { Config } from '../../platform/process/config.ts'
import type { Log } from '../../platform/process/log.ts'
import { startRepeating } from '../../platform/process/repeat.ts'
import type { BatchIds } from '../spool/batch-ids.ts'
import type { DamageLog, DamageSum } from '../spool/damage-log.ts'
import { createStoreOnce, type StoreOnce } from '../spool/once.ts'
import { type OpenSpool, openSpool } from '../spool/open-spool.ts'
import { createOutcomes, type Outcomes } from '../spool/outcomes.ts'
import type { RefusedRow } from '../spool/quarantine.ts'
import type { Spool } from '../spool/spool.ts'
import { type Admission, type AdmissionCondition, createAdmission } from './admission.ts'
import { type Countries, openCountries } from './countries.ts'
import { createHiddenExposures, type HiddenExposures } from './hidden-exposures.ts'
import { createLearnedRoutes, type RouteOf } from './learned-routes.ts'
import { createQuarantinedRows, environmentOfText, type QuarantinedRows } from './quarantined-rows.ts'
import { openQuotas, type Quotas } from './quotas.ts'
import { type BoundName, createBoundNames } from './steps/bound-names.ts'

export interface IntakeCondition {
  /** A warning to show; absent when healthy. */
  reason: string | undefined
  waitingBytes: number
  capacityBytes: number
  quarantineBytes: number
  /** What the disk changed in accepted telemetry in the last days. */
  damagedRecords: number
  /** Age of the oldest waiting record. */
  behind: number
  admission: AdmissionCondition
  /** Events by outcome, since the start. */
  outcomes: ReadonlyMap<string, number>
}

export interface Intake {
  spool: Spool
  batchIds: BatchIds
  /** Telemetry from browsers is admitted here before it is read. */
  admission: Admission
  /** Removes duplicates from anything that may arrive twice. */
  once: StoreOnce
  outcomes: Outcomes
  quotas: Quotas
  hiddenExposures: HiddenExposures
  signedUserCounts: SignedUserCounts
  usage: UsageCounts
  /** What is stored less of now. */
  reductions: Pick<Reductions, 'of'>
  recordingPlans: Pick<RecordingPlans, 'of'>
  quarantinedRows: QuarantinedRows
  damage: DamageLog
  boundName: BoundName
  routeOf: RouteOf
  countryOf: Countries
  /** Begins a new file of the spool. Resolves later with whether the earlier files are gone. */
  rotateSpool(): Promise<() => boolean>
  now(): number
  condition(): IntakeCondition
  /** Writes counts and ships as much as possible. */
  stop(): Promise<void>
}

interface IntakeParts {
  config: Config
  db: Db
  telemetry: Telemetry
  clock(): Date
  log: Log
  signedUserCounts: SignedUserCounts
  usage: UsageCounts
  reductions: Pick<Reductions, 'of'>
  recordingPlans: Pick<RecordingPlans, 'of'>
}

const nearlyFull = 0.5
const tidyInterval = 60_000
/** The share of a process's shutdown time. */
const stopPatience = 1_500

export async function openIntake(parts: IntakeParts): Promise<Intake> {
  const { config, db, telemetry, clock, log, signedUserCounts, usage, reductions, recordingPlans } = parts
  const now = () => clock().getTime()
  const admission = createAdmission()
  const folder = dataPaths(config.dataFolder).spool
  const opened = await openSpool({
    folder,
    largestBytes: config.spoolSize,
    store: telemetry,
    sharedDatabase: config.databaseUrl === undefined ? undefined : db,
    now,
    log,
    onRefused: (rows) => countRefused(outcomes, rows),
  })
  const { spool, batchIds, claims, segments } = opened
  const outcomes = createOutcomes(spool, { now, log })
  const quotas = await openQuotas(join(folder, 'quotas.json'), { most: config.intakeQuota, now })
  const stopCounting = startRepeating(
    log,
    { what: 'writing telemetry outcomes', every: limits.outcomeInterval },
    async () => {
      await outcomes.flush()
      await quotas.keep()
      await spool.measure()
    },
  )
  let segmentSince = { segment: -1, at: 0 }
  /** Shipped records stay in their file until it is complete: on a quiet site, that could be forever. */
  const keepYoung = async () => {
    const { segment, offset } = segments.end()
    if (segment !== segmentSince.segment || offset === 0) segmentSince = { segment, at: now() }
    else if (now() - segmentSince.at >= limits.spoolSegmentAge) await spool.rotate()
  }
  const stopTidying = startRepeating(
    log,
    { what: 'cleaning up the spool', every: tidyInterval },
    async () => {
      await batchIds.tidy()
      await keepYoung()
      await claims?.forget(clock())
    },
  )

  return {
    spool,
    batchIds,
    admission,
    once: createStoreOnce({ batchIds, now }),
    outcomes,
    quotas,
    hiddenExposures: createHiddenExposures(),
    signedUserCounts,
    usage,
    reductions,
    recordingPlans,
    quarantinedRows: createQuarantinedRows({ quarantine: opened.quarantine, telemetry, log }),
    damage: opened.damage,
    boundName: createBoundNames(now),
    routeOf: createLearnedRoutes((environmentId, rule) =>
      storeLearnedRule({ db, log, clock }, { environmentId, rule }),
    ),
    countryOf: await openCountries(config.geoFile, log),
    async rotateSpool() {
      await spool.rotate()
      const end = segments.end()
      return () => segments.complete(end).length === 0
    },
    now,
    condition: () => ({ ...describe(opened, outcomes, now()), admission: admission.condition() }),
    async stop() {
      admission.stop()
      await Promise.all([stopCounting(), stopTidying()])
      await outcomes.flush()
      await quotas.keep()
      await opened.close(stopPatience)
    },
  }
}

function countRefused(outcomes: Outcomes, rows: readonly RefusedRow[]): void {
  for (const { row, table } of rows) {
    const environmentId = environmentOfText(row)
    if (environmentId === undefined) continue
    outcomes.count({ environmentId, kind: table, source: 'telltale', reason: 'engine_refused' }, 1)
  }
}

function describe(
  { spool, writer, quarantine, damage }: OpenSpool,
  outcomes: Outcomes,
  now: number,
): Omit<IntakeCondition, 'admission'> {
  const since = writer.waitingSince()
  const behind = since === undefined ? 0 : Math.max(0, now - since)
  const [waitingBytes, capacityBytes] = [spool.waitingBytes(), spool.capacityBytes()]
  const share = capacityBytes === 0 ? 1 : waitingBytes / capacityBytes
  const isFull = share >= nearlyFull
  const isLate = behind > limits.spoolBehind
  const damaged = damage.recent()
  const reasons = [
    ...(isFull ? [`the spool is ${Math.round(share * 100)} % full`] : []),
    ...(isLate && !isFull ? [`the spool is ${Math.round(behind / 1_000)} s behind`] : []),
    ...(damaged === undefined ? [] : [damageText(damaged)]),
  ]
  return {
    reason: reasons.length === 0 ? undefined : reasons.join('; '),
    waitingBytes,
    capacityBytes,
    quarantineBytes: quarantine.sizeBytes(),
    damagedRecords: damaged?.records ?? 0,
    behind,
    outcomes: outcomes.totals(),
  }
}

function damageText({ records, bytes, lastAt }: DamageSum): string {
  const what = records === 1 ? '1 damaged record' : `${records} damaged records`
  const when = new Date(lastAt).toISOString().slice(0, 16).replace('T', ' ')
  return `${what} (${bytes} bytes) of accepted telemetry could not be read and ${records === 1 ? 'was' : 'were'} skipped, last at ${when} UTC: check the disk`
}
