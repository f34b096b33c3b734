// Looks at quotas and spikes every few seconds. One server at a time decides; every server then applies what is open.

import { pathOf } from '@telltale/core/notices/notice'
import { sql } from 'drizzle-orm'
import { findAdminEmails } from '../../access/find-roles.ts'
import { publicOrigin } from '../../access/public-origin.ts'
import { advisoryLocks } from '../../platform/engines/postgres/advisory-locks.ts'
import { change, type EntityChange } from '../../platform/engines/postgres/change.ts'
import type { Services } from '../../platform/services.ts'
import type { UsageCounts } from '../usage/count-usage.ts'
import type { Reductions } from './reductions.ts'
import { settleQuotas } from './settle-quotas.ts'
import { settleSpikes } from './settle-spikes.ts'

type LookServices = Pick<Services, 'db' | 'mail' | 'config' | 'clock' | 'log'> & {
  usage: Pick<UsageCounts, 'flush'>
  reductions: Reductions
}

export async function lookAtUsage(services: LookServices): Promise<void> {
  const { db, usage, reductions, clock } = services
  await usage.flush()
  const actor = { kind: 'system', id: null, name: 'usage' } as const
  const found = await settle(db, { actor, requestId: null, now: clock() }, undefined)
  await reductions.refresh()
  await mailAdmins(services, found)
}

const settle = change(async ({ db, now }) => {
  const { rows } = await db.execute<{ ours: boolean }>(
    sql`SELECT pg_try_advisory_xact_lock(${advisoryLocks.usageLook}) AS ours`,
  )
  if (rows[0]?.ours !== true) return { reply: [], changes: [] }
  const changes = [...(await settleQuotas({ db, now })), ...(await settleSpikes({ db, now }))]
  return { reply: changes, changes }
})

/** Without a mail server or a public address, the console and the channels report it alone. */
async function mailAdmins(services: LookServices, found: readonly EntityChange[]): Promise<void> {
  const { db, mail, log } = services
  const site = found.length > 0 && mail.configured ? await publicOrigin(services) : undefined
  if (site === undefined) return
  for (const { project, news } of found) {
    if (project === undefined || news === undefined) continue
    const link = `${site}${pathOf({
      event: 'quota.near',
      actor: { kind: 'system', id: null, name: '' },
      entity: { kind: 'quota', id: '', name: '' },
      project: project.key,
      environment: null,
    })}`
    for (const to of await findAdminEmails(db, project.id)) {
      const letter = { to, subject: `${project.key}: ${news.summary}`, text: `${news.summary}\n\n${link}\n` }
      await mail.send(letter).catch((error: unknown) => {
        log.warn({ err: error }, 'a notice about usage could not be mailed')
      })
    }
  }
}
