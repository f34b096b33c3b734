import { change } from '../../platform/engines/postgres/change.ts'
import { decide } from './decide.ts'
import type { Ending } from './decline-change-request.ts'
import { describeChangeRequest } from './describe-change-request.ts'
import { refuseForeign } from './own.ts'
import { lockChangeRequest } from './queries.ts'

export const withdrawChangeRequest = change(async (context, { project, id, userId, comment }: Ending) => {
  const before = await lockChangeRequest(context.db, project.id, id)
  refuseForeign(before, userId)
  const { after, change: entry } = await decide(context, before, { project, action: 'withdraw', comment })
  return { reply: await describeChangeRequest(context.db, after), changes: [entry] }
})
