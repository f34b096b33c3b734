import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { exportPerson as exportPersonCall } from '@telltale/core/contract/privacy'
import type { EnvironmentRow } from '../environments/queries.ts'
import { findIdentity, findOverridesOf } from '../identities/queries.ts'
import { storedTraits } from '../identities/visible-traits.ts'
import { listEvents } from '../intake/list-events.ts'
import type { Services } from '../services.ts'

const beginning = '1970-01-01T00:00:00Z'

/** The identity stands on every page, so that each one is whole. */
export async function exportPerson(
  { db, telemetry, clock }: Pick<Services, 'db' | 'telemetry' | 'clock'>,
  environment: EnvironmentRow,
  { targetingKey, limit, cursor, anonymousId }: QueryOf<typeof exportPersonCall> & { targetingKey: string },
): Promise<ReplyOf<typeof exportPersonCall>> {
  const ids = [targetingKey, anonymousId].filter((id) => id !== undefined)
  const [identity] = (
    await Promise.all(ids.map((id) => findIdentity(db, { environmentId: environment.id, targetingKey: id })))
  ).filter((row) => row !== undefined)
  const overrides = await Promise.all(
    ids.map((id) => findOverridesOf(db, { environmentId: environment.id, targetingKey: id })),
  )
  const events = await listEvents(telemetry, environment.id, {
    query: {
      from: beginning,
      ...(limit !== undefined && { limit }),
      ...(cursor !== undefined && { cursor }),
    },
    users: ids,
    now: clock(),
  })
  return {
    identity:
      identity === undefined
        ? null
        : {
            targetingKey: identity.targetingKey,
            traits: storedTraits(environment, identity.traits),
            firstSeenAt: identity.firstSeenAt.toISOString(),
            lastSeenAt: identity.lastSeenAt.toISOString(),
          },
    overrides: overrides.flat().map(({ flag, variation }) => ({ flag, variation })),
    ...events,
  }
}
