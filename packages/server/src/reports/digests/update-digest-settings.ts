import type { BodyOf } from '@telltale/core/contract/call'
import type { updateDigestSettings as updateDigestSettingsCall } from '@telltale/core/contract/digests'
import { nextDigestAt } from '@telltale/core/digests/next-digest'
import { problem } from '@telltale/core/errors'
import { lockProject } from '../../access/find-project.ts'
import { checkChannels } from '../../notify/alerts/check-alert.ts'
import { getEnvironment } from '../../organisation/environments/queries.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { digests } from '../../platform/engines/postgres/digest-schema.ts'
import { toDigestSettings } from './digest-settings.ts'
import { type DigestRow, findDigest } from './queries.ts'

interface Update {
  project: { id: string; key: string; name: string }
  draft: BodyOf<typeof updateDigestSettingsCall>
  ifMatch: number | undefined
}

export const updateDigestSettings = change(async ({ db, now }, { project, draft, ifMatch }: Update) => {
  await lockProject(db, project.id)
  const before = await findDigest(db, project.id)
  const shown = toDigestSettings(before)
  if (ifMatch !== undefined && ifMatch !== shown.version)
    throw problem('version-conflict', { current: shown })
  await checkChannels(db, project.id, draft.channels)
  checkEnabled(draft)

  const { enabled, env, weekday, hour, channels } = draft
  const environment = env === null ? null : await getEnvironment(db, { projectId: project.id, key: env })
  const timeZone = environment?.timeZone ?? 'UTC'
  const row: DigestRow = {
    projectId: project.id,
    enabled,
    environmentId: environment?.id ?? null,
    weekday,
    hour,
    channels: [...channels],
    nextAt: enabled ? new Date(nextDigestAt(now.getTime(), { weekday, hour, timeZone })) : null,
    lastSentAt: before?.row.lastSentAt ?? null,
    version: shown.version + 1,
  }
  await db.insert(digests).values(row).onConflictDoUpdate({ target: digests.projectId, set: row })
  const reply = toDigestSettings({ row, environment })
  return {
    reply,
    changes: [
      {
        action: 'digest.update',
        entity: { kind: 'digest', id: project.id, name: project.name },
        project,
        before: auditedDigest(shown),
        after: auditedDigest(reply),
      },
    ],
  }
})

/** A digest that is on goes somewhere. */
function checkEnabled({ enabled, env, channels }: Update['draft']): void {
  if (!enabled) return
  const errors = [
    ...(env === null ? [{ pointer: '/env', message: 'is required while the digest is on' }] : []),
    ...(channels.length === 0
      ? [{ pointer: '/channels', message: 'needs at least one channel while the digest is on' }]
      : []),
  ]
  if (errors.length > 0) throw problem('invalid-request', { errors })
}

const auditedDigest = ({ enabled, env, weekday, hour, channels }: ReturnType<typeof toDigestSettings>) => ({
  enabled,
  env,
  weekday,
  hour,
  channels,
})
