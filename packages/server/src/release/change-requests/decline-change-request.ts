import { change } from '../../platform/engines/postgres/change.ts'
import { decide } from './decide.ts'
import { describeChangeRequest } from './describe-change-request.ts'
import { refuseOwn } from './own.ts'
import { lockChangeRequest } from './queries.ts'

export interface Ending {
  project: { id: string; key: string }
  id: string
  userId: string
  comment: string | undefined
}

export const declineChangeRequest = change(async (context, { project, id, userId, comment }: Ending) => {
  const before = await lockChangeRequest(context.db, project.id, id)
  refuseOwn(before, userId)
  const { after, change: entry } = await decide(context, before, { project, action: 'decline', comment })
  return { reply: await describeChangeRequest(context.db, after), changes: [entry] }
})
