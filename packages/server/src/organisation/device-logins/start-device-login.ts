import { randomInt } from 'node:crypto'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { count, lte } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import { change } from '../../platform/engines/postgres/change.ts'
import { deviceLogins } from '../../platform/engines/postgres/device-login-schema.ts'
import { hashSecret, newSecret } from '../../platform/http/secret.ts'

const deviceCodePrefix = 'ttd_'
/** Without vowels, so that no words arise, and without letters that look alike. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ'

export const startDeviceLogin = change(async ({ db, now }, { name }: { name: string }) => {
  await db.delete(deviceLogins).where(lte(deviceLogins.expiresAt, now))
  const [open] = await db.select({ count: count() }).from(deviceLogins)
  if ((open?.count ?? 0) >= limits.deviceLoginsOpen) {
    throw problem('rate-limited', {
      detail: 'Too many devices wait for approval.',
      retryAfterSeconds: limits.deviceLoginLifetime / 1_000,
    })
  }
  const deviceCode = newSecret(deviceCodePrefix)
  const userCode = `${draw(4)}-${draw(4)}`
  const expiresAt = new Date(now.getTime() + limits.deviceLoginLifetime)
  await db.insert(deviceLogins).values({
    ...{ id: newId(), deviceHash: hashSecret(deviceCode), userCode, name },
    ...{ createdAt: now, expiresAt, state: 'waiting' },
  })
  const reply = {
    ...{ deviceCode, userCode, path: `/account/device?code=${userCode}` },
    ...{ expiresAt: expiresAt.toISOString(), interval: limits.deviceLoginInterval },
  }
  return { reply, changes: [] }
})

function draw(length: number): string {
  return Array.from({ length }, () => letters[randomInt(letters.length)]).join('')
}
