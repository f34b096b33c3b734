import type { IntakeServices } from '../events/intake-services.ts'
import { findClockTrust } from './clock-jump.ts'
import { cutsOfEnvironment } from './days-of.ts'
import { findEnvironments } from './queries.ts'

/** What waits in quarantine is kept no longer than events. Each server has its own. */
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
  // Of an environment that was deleted nobody sees them any more.
  await intake.quarantinedRows.discardPast((id, at) => at < (cuts.get(id) ?? Number.POSITIVE_INFINITY))
}
