import { problem } from '@telltale/core/errors'
import type { SecondFactorPolicy } from '@telltale/core/permissions'
import { eq } from 'drizzle-orm'
import { change } from '../../platform/engines/postgres/change.ts'
import { installation } from '../../platform/engines/postgres/schema.ts'
import { lockInstallation } from './queries.ts'

interface InstallationChange {
  /** Starts links in e-mails and messages. */
  publicUrl?: string | null | undefined
  secondFactor?: SecondFactorPolicy | undefined
  sessionIdleMinutes?: number | undefined
  sessionMaximumMinutes?: number | undefined
}

const minute = 60_000

/** What is not given stays as it is. */
export const updateInstallation = change(async ({ db }, given: InstallationChange) => {
  const before = await lockInstallation(db)
  if (!before) throw problem('internal')
  const { publicUrl = before.publicUrl, secondFactor = before.secondFactor } = given
  const lifetimes = {
    sessionIdleMinutes: given.sessionIdleMinutes ?? before.sessionIdle / minute,
    sessionMaximumMinutes: given.sessionMaximumMinutes ?? before.sessionMaximum / minute,
  }
  const after = {
    publicUrl: publicUrl === null ? null : readOrigin(publicUrl, '/publicUrl'),
    secondFactor,
    ...lifetimes,
  }
  await db
    .update(installation)
    .set({
      publicUrl: after.publicUrl,
      secondFactor,
      sessionIdle: lifetimes.sessionIdleMinutes * minute,
      sessionMaximum: lifetimes.sessionMaximumMinutes * minute,
    })
    .where(eq(installation.id, 1))
  return {
    reply: after,
    changes: [
      {
        action: 'installation.update',
        entity: { kind: 'installation', id: '1', name: 'installation' },
        before: {
          publicUrl: before.publicUrl,
          secondFactor: before.secondFactor,
          sessionIdleMinutes: before.sessionIdle / minute,
          sessionMaximumMinutes: before.sessionMaximum / minute,
        },
        after,
      },
    ],
  }
})

/** Scheme, host and port only; throws `invalid-request`. */
export function readOrigin(text: string, pointer: string): string {
  const address = URL.parse(text)
  const isOrigin =
    address !== null &&
    (address.protocol === 'https:' || address.protocol === 'http:') &&
    address.pathname === '/' &&
    `${address.search}${address.hash}${address.username}${address.password}` === ''
  if (isOrigin) return address.origin
  throw problem('invalid-request', {
    errors: [{ pointer, message: 'must be an origin only, such as https://telltale.example.com' }],
  })
}
