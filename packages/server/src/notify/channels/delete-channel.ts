import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { lockProject } from '../../access/find-project.ts'
import { channels } from '../../platform/engines/postgres/alert-schema.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { channelChange } from './channel.ts'
import { type ChannelRef, findAlertsOf, lockChannel } from './queries.ts'

export const deleteChannel = change(async ({ db }, ref: ChannelRef) => {
  const { project } = ref
  await lockProject(db, project.id)
  const before = await lockChannel(db, ref)
  const alerts = await findAlertsOf(db, before.id)
  if (alerts.length > 0) throw problem('in-use', `Used by these alerts: ${alerts.join(', ')}.`)
  await db.delete(channels).where(eq(channels.id, before.id))
  return { reply: null, changes: [channelChange('delete', { project, before })] }
})
