// Mails users about sign-ins from devices that they have not used before. Without a mail server, nothing is sent, and
// nothing waits for one.

import { deviceText } from '@telltale/core/browser-text'
import { desc, eq } from 'drizzle-orm'
import { publicOrigin } from '../../access/public-origin.ts'
import { knownDevices, loginSessions, users } from '../../platform/engines/postgres/account-schema.ts'
import type { Db } from '../../platform/engines/postgres/open.ts'
import type { Services } from '../../platform/services.ts'

type DeviceRow = typeof knownDevices.$inferSelect

export async function mailNewDevices(
  services: Pick<Services, 'db' | 'mail' | 'config' | 'log'>,
): Promise<void> {
  const { db, mail, log } = services
  // One server takes each of them; a crash before the mail is sent loses it rather than sending it twice.
  const due = await db
    .update(knownDevices)
    .set({ mailDue: false })
    .where(eq(knownDevices.mailDue, true))
    .returning()
  if (due.length === 0 || !mail.configured) return
  const site = await publicOrigin(services)
  for (const device of due) {
    const letter = await writeLetter(db, device, site)
    if (letter === undefined) continue
    await mail.send(letter).catch((error: unknown) => {
      log.warn({ err: error }, 'a sign-in from a new device could not be mailed')
    })
  }
}

async function writeLetter(db: Db, { userId, device, firstAt }: DeviceRow, site: string | undefined) {
  const [user] = await db.select().from(users).where(eq(users.id, userId))
  if (user === undefined) return undefined
  const address = await findAddress(db, userId, device)
  const from = address === '' ? '' : `, address ${address}`
  const link = site === undefined ? 'in your account' : `at ${site}/account/sessions`
  return {
    to: user.email,
    subject: 'New sign-in to your Telltale account',
    text: `Your account was used to sign in from a new device: ${device}${from}, at ${firstAt.toUTCString()}.\n\nIf it was you, there is nothing to do. If not, end the session ${link} and change your password.\n`,
  }
}

/** Empty if the session has ended already. */
async function findAddress(db: Db, userId: string, device: string): Promise<string> {
  const sessions = await db
    .select()
    .from(loginSessions)
    .where(eq(loginSessions.userId, userId))
    .orderBy(desc(loginSessions.createdAt))
  return sessions.find(({ userAgent }) => deviceText(userAgent) === device)?.address ?? ''
}
