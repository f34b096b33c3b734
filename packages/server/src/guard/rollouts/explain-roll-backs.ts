// Stores the explanation of a rollback while its events are still kept, and reads it a second time to include
// late events. Separate from the guard, which must look again within seconds. A failure is retried a few times
// and costs only the explanation; a restart between the two reads costs only the late events.
import { limits } from '@telltale/core/limits'
import { getEnvironment } from '../../organisation/environments/queries.ts'
import { isUsable } from '../../platform/engines/clickhouse/telemetry.ts'
import { rolloutEvidence } from '../../platform/engines/postgres/rollout-schema.ts'
import type { Services } from '../../platform/services.ts'
import { type ExplainServices, explainGap } from '../evidence/explain-gap.ts'
import { findEvidenceEpochs, findUnexplained, judgedOf, type PlacedRollout, standingOf } from './queries.ts'

type ExplainerServices = ExplainServices & Pick<Services, 'log'>

const day = 86_400_000
const atOnce = 5

export function createExplainer(services: ExplainerServices): () => Promise<void> {
  const failures = new Map<string, number>()
  const again = new Map<string, { one: PlacedRollout; at: number }>()
  const mayTry = ({ row }: PlacedRollout) => (failures.get(row.id) ?? 0) < limits.evidenceTries
  const isRead = async (one: PlacedRollout) => {
    try {
      return await explain(services, one)
    } catch (error) {
      const { id } = one.row
      failures.set(id, (failures.get(id) ?? 0) + 1)
      services.log.warn({ err: error, rollout: id }, 'a rollback could not be explained')
      return false
    }
  }
  return async () => {
    const { db, telemetry, clock } = services
    if (!isUsable(telemetry.state().state)) return
    const now = clock().getTime()
    const placed = await findUnexplained(db, {
      from: new Date(now - limits.impactSliceSpan),
      to: new Date(now - limits.evidenceSettles),
      count: limits.rolloutsAcknowledged,
    })
    const due = [...again.values()].filter(({ at }) => at <= now)
    for (const one of placed.filter(mayTry).slice(0, atOnce))
      if (await isRead(one)) again.set(one.row.id, { one, at: now + limits.evidenceReadAgain })
    for (const { one } of due.slice(0, atOnce))
      if ((await isRead(one)) || !mayTry(one)) again.delete(one.row.id)
  }
}

/** Returns whether there was anything to compare. */
async function explain(
  services: ExplainerServices,
  { row, project, environment, flag }: PlacedRollout,
): Promise<boolean> {
  const { db, clock } = services
  const epochs = await findEvidenceEpochs(db, row)
  const { split, startedAt, endedAt, treatment, control } = row
  if (split === null || startedAt === null || endedAt === null || epochs.length === 0) return false
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
    const read = { at: clock(), found }
    const kept = db.insert(rolloutEvidence).values({ rolloutId: row.id, metric: metric.metric, ...read })
    // An explanation read while the events were kept is not replaced by an empty one.
    if (found.missing === 'all') await kept.onConflictDoNothing()
    else {
      const target = [rolloutEvidence.rolloutId, rolloutEvidence.metric]
      await kept.onConflictDoUpdate({ target, set: read })
    }
  }
  return true
}

/**
 * The regressed metrics. After a manual rollback, all metrics that were worse with confidence, or else the
 * worst estimate.
 */
function explained(row: PlacedRollout['row']): string[] {
  const { regressed } = standingOf(row)
  if (regressed.length > 0) return regressed.slice(0, limits.evidenceMetrics)
  const findings = row.seen?.findings ?? []
  const worse = findings.filter(({ harm }) => (harm?.lower ?? 0) > 0)
  const worst = findings.toSorted((a, b) => (b.harm?.estimate ?? 0) - (a.harm?.estimate ?? 0)).slice(0, 1)
  return (worse.length > 0 ? worse : worst).slice(0, limits.evidenceMetrics).map(({ metric }) => metric)
}
