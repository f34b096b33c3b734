// Sends the digests that are due. A digest is due once: the transaction that hands it to the channels moves it a week on.

import type { Digest } from '@telltale/core/contract/digests'
import { digestSubject, digestText } from '@telltale/core/digests/digest-text'
import { digestRetryAt, nextDigestAt } from '@telltale/core/digests/next-digest'
import { and, eq } from 'drizzle-orm'
import { change } from '../../platform/engines/postgres/change.ts'
import { digests } from '../../platform/engines/postgres/digest-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import type { Services } from '../../platform/services.ts'
import { findDue, lockDue } from './queries.ts'
import { readDigest } from './read-digest.ts'

const sender = { kind: 'system', id: null, name: 'Telltale' } as const

export async function sendDigests(
  services: Pick<Services, 'db' | 'telemetry' | 'clock' | 'log'>,
): Promise<void> {
  const { db, clock, log } = services
  for (const { row, environment, project } of await findDue(db, clock())) {
    const { nextAt } = row
    if (nextAt === null) continue
    try {
      const now = clock()
      const digest = await readDigest(services, { projectId: project.id, environment, to: now })
      const origin = { actor: sender, requestId: null, now }
      await sendDigest(db, origin, { project, environment, nextAt, digest })
    } catch (error) {
      // The others are sent; this one waits longer after each failure, so that it does not hold them up.
      log.error({ err: error, project: project.key }, 'the digest could not be sent')
      await postpone(db, { ...row, nextAt, timeZone: environment.timeZone }, clock())
    }
  }
}

async function postpone(
  db: Queryable,
  { projectId, nextAt, ...weekly }: Postponed,
  now: Date,
): Promise<void> {
  const again = digestRetryAt(now.getTime(), weekly, Math.random())
  await db
    .update(digests)
    .set({ nextAt: new Date(again) })
    .where(and(eq(digests.projectId, projectId), eq(digests.nextAt, nextAt)))
}

interface Postponed {
  projectId: string
  nextAt: Date
  weekday: number
  hour: number
  timeZone: string
}

interface Sending {
  project: { id: string; key: string; name: string }
  environment: { id: string; key: string; timeZone: string }
  nextAt: Date
  digest: Digest
}

const sendDigest = change(async ({ db, now }, { project, environment, nextAt, digest }: Sending) => {
  const due = await lockDue(db, { projectId: project.id, nextAt })
  if (due === undefined) return { reply: undefined, changes: [] }
  const { weekday, hour, channels } = due
  const next = nextDigestAt(now.getTime(), { weekday, hour, timeZone: environment.timeZone })
  await db
    .update(digests)
    .set({ nextAt: new Date(next), lastSentAt: now })
    .where(eq(digests.projectId, project.id))
  return {
    reply: undefined,
    changes: [
      {
        action: 'digest.send',
        entity: { kind: 'digest', id: project.id, name: project.name },
        project,
        environment,
        news: {
          summary: digestSubject(project.name, digest),
          text: digestText(digest),
          data: { digest },
          to: channels,
        },
      },
    ],
  }
})
