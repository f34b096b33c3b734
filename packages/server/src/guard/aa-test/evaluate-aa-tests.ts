// Evaluates the running rounds with the guard's statistics, but less often, and begins the next round when one
// is over. With several servers, a lease assigns each look to one of them. Nothing is decided here: only
// figures and first alarms are stored.

import { alarmsAfter, judgeRound } from '@telltale/core/guard/aa-test/judge-round'
import { freezeMetric } from '@telltale/core/guard/built-in-metrics'
import { splitFaultOf } from '@telltale/core/guard/split-fault'
import { limits } from '@telltale/core/limits'
import { aaTestArms, aaTestRoundAt, aaTestSplit } from '@telltale/core/telemetry/aa-test-arm'
import type { EnvironmentRow } from '../../organisation/environments/queries.ts'
import { isUsable } from '../../platform/engines/clickhouse/telemetry.ts'
import type { Services } from '../../platform/services.ts'
import { readEvidence } from '../evidence/read-evidence.ts'
import { quietReads } from '../looks/quiet-reads.ts'
import { definitionsOf } from '../metrics/named-metrics.ts'
import {
  type AaTestRoundRow,
  claimRound,
  type DueRound,
  findUnbegun,
  forgetOldRounds,
  insertRound,
  keepSeen,
  seriesOf,
} from './queries.ts'

type AaTestServices = Pick<Services, 'db' | 'telemetry' | 'clock' | 'log'>

export async function evaluateAaTests(services: AaTestServices): Promise<void> {
  const { db, telemetry, clock, log } = services
  for (const environment of await findUnbegun(db, clock())) await beginRound(services, environment)
  if (!isUsable(telemetry.state().state)) return
  const by = clock()
  const claim = () => claimRound(db, { by, now: clock() })
  // Sequentially, to spare the shared engine. A round that was evaluated or failed is not due again in this
  // pass.
  for (let due = await claim(); due !== undefined; due = await claim()) {
    try {
      await lookAt(services, due)
    } catch (error) {
      // Its lease expires, and a server tries again.
      const { environmentId, round } = due.row
      log.warn({ err: error, environment: environmentId, round }, 'an A/A test could not be evaluated')
    }
  }
}

async function beginRound({ db, clock }: AaTestServices, environment: EnvironmentRow): Promise<void> {
  const series = seriesOf(environment)
  if (series === undefined) return
  const { number, startedAt, endsAt } = aaTestRoundAt(series, clock().getTime())
  const definitions = await definitionsOf({ db }, environment.projectId)
  await insertRound(db, {
    environmentId: environment.id,
    round: number,
    series: new Date(series.since),
    startedAt: new Date(startedAt),
    endsAt: new Date(endsAt),
    nextAt: clock(),
    alarms: [],
    judged: definitions.map((definition) => freezeMetric(definition, { limit: 0, base: undefined })),
  })
  await forgetOldRounds(db, environment.id)
}

async function lookAt({ db, telemetry, clock }: AaTestServices, due: DueRound): Promise<void> {
  const now = clock()
  const { row } = due
  const { environmentId, round, startedAt, judged } = row
  const arms = {
    environmentId,
    split: aaTestSplit,
    ...aaTestArms,
    epochs: [{ epoch: round, share: 0.5, startedAt }],
  }
  const { exposures, heard, metrics } = await readEvidence(quietReads(telemetry), arms, judged)
  const evidence = {
    units: exposures.units,
    crossed: exposures.crossed,
    exposures: exposures.stages,
    heard,
    metrics,
  }
  const seen = judgeRound(judged, evidence, now.toISOString())
  await keepSeen(db, due, {
    seen,
    alarms: alarmsAfter(row.alarms, seen),
    splitWrong: row.splitWrong ?? splitFaultOf(evidence) ?? null,
    nextAt: new Date(now.getTime() + limits.aaTestInterval),
    endedAt: endOf(due, now),
  })
}

/** After the grace period for late events. An A/A test that was turned off or restarted ends immediately. */
function endOf({ row, environment }: DueRound, now: Date): AaTestRoundRow['endedAt'] {
  const series = seriesOf(environment)
  const isPresent = series !== undefined && aaTestRoundAt(series, now.getTime()).number === row.round
  if (isPresent) return null
  if (now < row.endsAt) return now
  return now.getTime() < row.endsAt.getTime() + limits.aaTestGrace ? null : row.endsAt
}
