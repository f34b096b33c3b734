import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { change } from '../../platform/engines/postgres/change.ts'
import { installation } from '../../platform/engines/postgres/schema.ts'
import { lockInstallation } from './queries.ts'

/** Sets the address that starts links in e-mails and messages. */
export const updateInstallation = change(async ({ db }, { publicUrl }: { publicUrl: string | null }) => {
  const before = await lockInstallation(db)
  if (!before) throw problem('internal')
  const after = publicUrl === null ? null : readOrigin(publicUrl, '/publicUrl')
  await db.update(installation).set({ publicUrl: after }).where(eq(installation.id, 1))
  return {
    reply: null,
    changes: [
      {
        action: 'installation.update',
        entity: { kind: 'installation', id: '1', name: 'installation' },
        before: { publicUrl: before.publicUrl },
        after: { publicUrl: after },
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
