// The intake as the rest of the server knows it: takes batches, and says how it is.

import { join } from 'node:path'
import { limits } from '@telltale/core/limits'
import type { Config } from '../config.ts'
import { dataPaths } from '../data-folder/paths.ts'
import type { Telemetry } from '../engines/clickhouse/telemetry.ts'
import type { Queryable } from '../engines/postgres/open.ts'
import { startRepeating } from '../repeat.ts'
import type { Log } from '../services.ts'
import { type BoundName, createBoundNames } from './bound-names.ts'
import { type CanaryExposures, createCanaryExposures } from './canary-exposures.ts'
import { type Countries, openCountries } from './countries.ts'
import { createOutcomes, type Outcomes } from './outcomes.ts'
import { createQuarantinedRows, environmentOfText, type QuarantinedRows } from './quarantined-rows.ts'
import { openQuotas, type Quotas } from './quotas.ts'
import type { BatchIds } from './spool/batch-ids.ts'
import { type OpenSpool, openSpool } from './spool/open-spool.ts'
import type { RefusedRow } from './spool/quarantine.ts'
import type { Spool } from './spool/spool.ts'

export interface IntakeCondition {
  /** What a person should know; absent when all is well. */
  reason: string | undefined
  waitingBytes: number
  capacityBytes: number
  quarantineBytes: number
  /** How long the oldest record waits. */
  behind: number
  /** Since the start: events by what became of them. */
  outcomes: ReadonlyMap<string, number>
}

export interface Intake {
  spool: Spool
  batchIds: BatchIds
  outcomes: Outcomes
  quotas: Quotas
  canary: CanaryExposures
  quarantinedRows: QuarantinedRows
  boundName: BoundName
  countryOf: Countries
  now(): number
  condition(): IntakeCondition
  /** Writes counts and ships what it can. */
  stop(): Promise<void>
}

export interface IntakeParts {
  config: Config
  db: Queryable
  telemetry: Telemetry
  clock(): Date
  log: Log
}

const nearlyFull = 0.5
const tidyInterval = 60_000
/** Of the time that a process has to stop. */
const stopPatience = 1_500

export async function openIntake({ config, db, telemetry, clock, log }: IntakeParts): Promise<Intake> {
  const now = () => clock().getTime()
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
  const { spool, batchIds, claims } = opened
  const outcomes = createOutcomes(spool, { now, log })
  const quotas = await openQuotas(join(folder, 'quotas.json'), { most: config.intakeQuota, now })
  const stopCounting = startRepeating(
    log,
    { what: 'writing what became of telemetry', every: limits.outcomeInterval },
    async () => {
      await outcomes.flush()
      await quotas.keep()
      await spool.measure()
    },
  )
  const stopTidying = startRepeating(log, { what: 'tidying the spool', every: tidyInterval }, async () => {
    await batchIds.tidy()
    await claims?.forget(clock())
  })

  return {
    spool,
    batchIds,
    outcomes,
    quotas,
    canary: createCanaryExposures(),
    quarantinedRows: createQuarantinedRows({ quarantine: opened.quarantine, telemetry, log }),
    boundName: createBoundNames(now),
    countryOf: await openCountries(config.geoFile, log),
    now,
    condition: () => describe(opened, outcomes, now()),
    async stop() {
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
  { spool, writer, quarantine }: OpenSpool,
  outcomes: Outcomes,
  now: number,
): IntakeCondition {
  const since = writer.waitingSince()
  const behind = since === undefined ? 0 : Math.max(0, now - since)
  const [waitingBytes, capacityBytes] = [spool.waitingBytes(), spool.capacityBytes()]
  const share = capacityBytes === 0 ? 1 : waitingBytes / capacityBytes
  const isFull = share >= nearlyFull
  const isLate = behind > limits.spoolBehind
  const reason = isFull
    ? `the spool is ${Math.round(share * 100)} % full`
    : `the spool is ${Math.round(behind / 1_000)} s behind`
  return {
    reason: isFull || isLate ? reason : undefined,
    waitingBytes,
    capacityBytes,
    quarantineBytes: quarantine.sizeBytes(),
    behind,
    outcomes: outcomes.totals(),
  }
}
