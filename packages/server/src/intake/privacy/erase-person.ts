import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { v7 as newId } from 'uuid'
import { lockProject } from '../../access/find-project.ts'
import { getEnvironment } from '../../organisation/environments/queries.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { erasures } from '../../platform/engines/postgres/privacy-schema.ts'
import { removeIdentity } from '../../release/identities/delete-identity.ts'
import { hashOfId } from '../events/erased-people.ts'
import { pseudonymOf, toErasure } from './erasure.ts'
import { insertErasedIds } from './queries.ts'
import type { Holders } from './remains.ts'

interface GivenPerson {
  targetingKey?: string
  anonymousId?: string
}

interface ErasureRequest {
  project: { id: string; key: string }
  env: string
  person: GivenPerson
}

/** Data in the control plane is deleted at once; the telemetry store follows in the background. */
export const erasePerson = (holders: Holders) =>
  change(async ({ db, now, actor }, { project, env, person }: ErasureRequest) => {
    const { targetingKey, anonymousId } = requirePerson(person)
    await lockProject(db, project.id)
    const environment = await getEnvironment(db, { projectId: project.id, key: env })
    const subject = {
      targetingKeys: targetingKey === undefined ? [] : [targetingKey],
      anonymousIds: anonymousId === undefined ? [] : [anonymousId],
    }
    // Until a user signs in, the anonymous ID is the targeting key.
    const ids = [...subject.targetingKeys, ...subject.anonymousIds]
    const removed = []
    for (const id of ids) removed.push(await removeIdentity(db, { project, environment }, id))

    const blockedUntil = new Date(now.getTime() + limits.erasureBlock)
    const [row] = await db
      .insert(erasures)
      .values({
        id: newId(),
        environmentId: environment.id,
        subject,
        person: pseudonymOf(ids),
        requestedBy: actor.name,
        requestedAt: now,
        blockedUntil,
        nextSweepAt: now,
        rows: {
          identities: removed.reduce((sum, { rows }) => sum + rows.identities, 0),
          identity_overrides: removed.reduce((sum, { rows }) => sum + rows.identity_overrides, 0),
        },
      })
      .returning()
    if (!row) throw problem('internal')
    const place = { environmentId: environment.id, blockedUntil }
    await insertErasedIds(
      db,
      place,
      ids.map((id) => hashOfId(environment.id, id)),
    )
    return {
      reply: toErasure(row, holders),
      changes: [
        {
          action: 'erasure.create' as const,
          entity: { kind: 'erasure', id: row.id, name: row.person },
          project,
          environment,
        },
        ...removed.flatMap(({ changes }) => changes),
      ],
    }
  })

/** Throws `invalid-request` when no ID is given. */
function requirePerson(person: GivenPerson): GivenPerson {
  if (person.targetingKey !== undefined || person.anonymousId !== undefined) return person
  throw problem('invalid-request', {
    errors: [{ pointer: '', message: 'must name a targeting key, an anonymous id, or both' }],
  })
}
