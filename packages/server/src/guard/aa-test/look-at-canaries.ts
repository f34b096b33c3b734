// Looks at the draws that go on, as the guard looks at rollouts but less often, and begins the next one when a draw is over.
// Of several servers each look belongs to one. Nothing is decided here: what is kept are numbers, and the first alarms.

import { freezeMetric } from '@telltale/core/guard/built-in-metrics'
import { alarmsAfter, judgeDraw, splitFaultOf } from '@telltale/core/guard/canary/judge-draw'
import { limits } from '@telltale/core/limits'
import { canaryArms, canaryDrawAt, canarySplit } from '@telltale/core/telemetry/canary-arm'
import type { EnvironmentRow } from '../../organisation/environments/queries.ts'
import { isUsable } from '../../platform/engines/clickhouse/telemetry.ts'
import type { Services } from '../../platform/services.ts'
import { readEvidence } from '../evidence/read-evidence.ts'
import { quietReads } from '../looks/quiet-reads.ts'
import { definitionsOf } from '../metrics/named-metrics.ts'
import {
  type CanaryDrawRow,
  claimDraw,
  type DueDraw,
  findUnbegun,
  forgetOldDraws,
  insertDraw,
  keepSeen,
  seriesOf,
} from './queries.ts'

type CanaryServices = Pick<Services, 'db' | 'telemetry' | 'clock' | 'log'>

export async function lookAtCanaries(services: CanaryServices): Promise<void> {
  const { db, telemetry, clock, log } = services
  for (const environment of await findUnbegun(db, clock())) await beginDraw(services, environment)
  if (!isUsable(telemetry.state().state)) return
  const by = clock()
  const claim = () => claimDraw(db, { by, now: clock() })
  // One after the other: the engine has other guests. What was looked at, or failed, is not due again.
  for (let due = await claim(); due !== undefined; due = await claim()) {
    try {
      await lookAt(services, due)
    } catch (error) {
      // Its lease runs out, and somebody looks again.
      const { environmentId, draw } = due.row
      log.warn({ err: error, environment: environmentId, draw }, 'an A/A test could not be evaluated')
    }
  }
}

async function beginDraw({ db, clock }: CanaryServices, environment: EnvironmentRow): Promise<void> {
  const series = seriesOf(environment)
  if (series === undefined) return
  const { number, startedAt, endsAt } = canaryDrawAt(series, clock().getTime())
  const definitions = await definitionsOf({ db }, environment.projectId)
  await insertDraw(db, {
    ...{ environmentId: environment.id, draw: number, series: new Date(series.since) },
    ...{ startedAt: new Date(startedAt), endsAt: new Date(endsAt), nextAt: clock(), alarms: [] },
    judged: definitions.map((definition) => freezeMetric(definition, { limit: 0, baseRate: undefined })),
  })
  await forgetOldDraws(db, environment.id)
}

async function lookAt({ db, telemetry, clock }: CanaryServices, due: DueDraw): Promise<void> {
  const now = clock()
  const { row } = due
  const { environmentId, draw, startedAt, judged } = row
  const arms = {
    ...{ environmentId, split: canarySplit, ...canaryArms },
    epochs: [{ epoch: draw, share: 0.5, startedAt }],
  }
  const { exposures, heard, metrics } = await readEvidence(quietReads(telemetry), arms, judged)
  const evidence = {
    ...{ units: exposures.units, crossed: exposures.crossed, exposures: exposures.stages },
    ...{ heard, metrics },
  }
  const seen = judgeDraw(judged, evidence, now.toISOString())
  await keepSeen(db, due, {
    seen,
    alarms: alarmsAfter(row.alarms, seen),
    splitWrong: row.splitWrong ?? splitFaultOf(evidence) ?? null,
    nextAt: new Date(now.getTime() + limits.canaryInterval),
    endedAt: endOf(due, now),
  })
}

/** Once what was under way has arrived. A canary that was turned off, or begun anew, ended then. */
function endOf({ row, environment }: DueDraw, now: Date): CanaryDrawRow['endedAt'] {
  const series = seriesOf(environment)
  const isPresent = series !== undefined && canaryDrawAt(series, now.getTime()).number === row.draw
  if (isPresent) return null
  if (now < row.endsAt) return now
  return now.getTime() < row.endsAt.getTime() + limits.canaryGrace ? null : row.endsAt
}
