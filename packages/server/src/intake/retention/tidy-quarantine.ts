import type { IntakeServices } from '../events/intake-services.ts'
import { findClockTrust } from './clock-jump.ts'
import { cutsOfEnvironment } from './days-of.ts'
import { findEnvironments } from './queries.ts'

/** Quarantined rows are kept no longer than events. Each server has its own. */
export async function tidyQuarantine({
  db,
  intake,
  clock,
}: Pick<IntakeServices, 'db' | 'intake' | 'clock'>): Promise<void> {
  if (intake.condition().quarantineBytes === 0) return
  if (!(await findClockTrust(db, clock()))) return
  const cuts = new Map<string | undefined, number>()
  for (const { environment } of await findEnvironments(db)) {
    cuts.set(environment.id, cutsOfEnvironment(environment, clock()).events)
  }
  // Rows of a deleted environment are no longer visible to its members.
  await intake.quarantinedRows.discardPast((id, at) => at < (cuts.get(id) ?? Number.POSITIVE_INFINITY))
}
