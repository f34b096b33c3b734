// Keeps what stood behind a roll-back while its events are still there. Read apart from the guard, which has to look again in
// seconds; what fails is tried again, some times, and costs nobody anything but the explanation.
import { limits } from '@telltale/core/limits'
import { isUsable } from '../engines/clickhouse/telemetry.ts'
import { rolloutEvidence } from '../engines/postgres/rollout-schema.ts'
import { getEnvironment } from '../environments/queries.ts'
import { type ExplainServices, explainGap } from '../evidence/explain-gap.ts'
import type { Services } from '../services.ts'
import { findEvidenceEpochs, findUnexplained, judgedOf, type PlacedRollout, standingOf } from './queries.ts'

type ExplainerServices = ExplainServices & Pick<Services, 'log'>

const day = 86_400_000
const atOnce = 5

export function createExplainer(services: ExplainerServices): () => Promise<void> {
  const failures = new Map<string, number>()
  return async () => {
    const { db, telemetry, clock, log } = services
    if (!isUsable(telemetry.state().state)) return
    const now = clock().getTime()
    const placed = await findUnexplained(db, {
      from: new Date(now - limits.impactSliceSpan),
      to: new Date(now - limits.evidenceSettles),
      count: limits.rolloutsAcknowledged,
    })
    const due = placed.filter(({ row }) => (failures.get(row.id) ?? 0) < limits.evidenceTries)
    for (const one of due.slice(0, atOnce)) {
      try {
        await explain(services, one)
      } catch (error) {
        const { id } = one.row
        failures.set(id, (failures.get(id) ?? 0) + 1)
        log.warn({ err: error, rollout: id }, 'what stands behind a roll-back could not be read')
      }
    }
  }
}

async function explain(services: ExplainerServices, { row, project, environment, flag }: PlacedRollout) {
  const { db, clock } = services
  const epochs = await findEvidenceEpochs(db, row)
  const { split, startedAt, endedAt, treatment, control } = row
  if (split === null || startedAt === null || endedAt === null || epochs.length === 0) return
  const { retentionEvents } = await getEnvironment(db, { projectId: project.id, key: environment.key })
  for (const metric of judgedOf(row).filter(({ metric: key }) => explained(row).includes(key))) {
    const found = await explainGap(services, {
      projectId: project.id,
      flag: flag.key,
      arms: { environmentId: environment.id, split, epochs, treatment, control },
      metric,
      period: { from: startedAt.getTime(), to: endedAt.getTime() },
      eventsKept: retentionEvents * day,
    })
    const kept = { rolloutId: row.id, metric: metric.metric, at: clock(), found }
    await db.insert(rolloutEvidence).values(kept).onConflictDoNothing()
  }
}

/** What regressed; of what a person rolled back, all that was surely worse, or else what looked worst. */
function explained(row: PlacedRollout['row']): string[] {
  const { regressed } = standingOf(row)
  if (regressed.length > 0) return regressed.slice(0, limits.evidenceMetrics)
  const findings = row.seen?.findings ?? []
  const worse = findings.filter(({ harm }) => (harm?.lower ?? 0) > 0)
  const worst = findings.toSorted((a, b) => (b.harm?.estimate ?? 0) - (a.harm?.estimate ?? 0)).slice(0, 1)
  return (worse.length > 0 ? worse : worst).slice(0, limits.evidenceMetrics).map(({ metric }) => metric)
}
