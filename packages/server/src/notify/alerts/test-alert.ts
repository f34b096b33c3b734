import { problem } from '@telltale/core/errors'
import { type Notice, pathOf } from '@telltale/core/notices/notice'
import { v7 as newId } from 'uuid'
import type { ChangeOrigin } from '../../platform/engines/postgres/change.ts'
import type { Db } from '../../platform/engines/postgres/open.ts'
import { enqueue } from '../../platform/engines/postgres/outbox.ts'
import { findChannels } from '../channels/queries.ts'
import { type AlertRef, getAlert } from './queries.ts'

/** Sent like a real notification; the result is in the log of each channel. */
export async function testAlert(
  db: Db,
  { actor, now }: ChangeOrigin,
  ref: AlertRef,
): Promise<{ channels: number }> {
  const { row, environment, project } = await getAlert(db, ref)
  const channels = (await findChannels(db, project.id)).filter(({ id }) => row.channels.includes(id))
  if (channels.length === 0) throw problem('wrong-state', 'The alert has no channels.')
  const to = channels.filter(({ enabled }) => enabled).map(({ id }) => id)
  if (to.length === 0) throw problem('wrong-state', 'All channels of the alert are turned off.')
  const reported = {
    event: 'alert.tested',
    actor,
    entity: { kind: 'alert', id: row.id, name: row.name },
    project: project.key,
    environment: environment.key,
  } as const
  const notice: Notice = {
    ...reported,
    id: newId(),
    at: now.toISOString(),
    summary: `A test of the alert ${row.name} (${environment.key})`,
    path: pathOf(reported),
    reason: null,
    changes: [],
    changesOmitted: false,
    data: { test: true, rule: row.rule },
  }
  const telling = {
    projectId: project.id,
    environmentId: environment.id,
    notice,
    to,
    isOnlyForThem: true,
  }
  await db.transaction((transaction) => enqueue(transaction, [telling]))
  return { channels: to.length }
}
