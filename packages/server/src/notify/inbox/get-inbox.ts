import type { ReplyOf } from '@telltale/core/contract/call'
import type { getInbox as getInboxCall, InboxItem } from '@telltale/core/contract/inbox'
import { type Grant, may, maySomewhere } from '@telltale/core/rights'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { findAlerts } from '../alerts/queries.ts'
import { findMentionsOf, findWaitingChanges, findWaitingRequests, findWaitingRollouts } from './queries.ts'

type Reply = ReplyOf<typeof getInboxCall>
type Kind = InboxItem['kind']

interface InboxOf {
  projectId: string
  grant: Grant
  userId: string
  now: Date
}

const failedShownFor = 7 * 24 * 3_600_000
const excerptLength = 200

export async function getInbox(db: Queryable, { projectId, grant, userId, now }: InboxOf): Promise<Reply> {
  const mayApprove = maySomewhere(grant, 'changes.approve')
  const [alerts, rollouts, requests, changes, mentions] = await Promise.all([
    findAlerts(db, projectId),
    findWaitingRollouts(db, projectId),
    findWaitingRequests(db, { projectId, userId, mayApprove }),
    findWaitingChanges(db, projectId, new Date(now.getTime() - failedShownFor)),
    findMentionsOf(db, { projectId, userId }),
  ])
  const items: InboxItem[] = [
    ...alerts.flatMap(({ row: { id, name, state, standing, createdAt }, environment }) => {
      const at = new Date(standing?.since ?? createdAt).toISOString()
      return state === 'firing' ? [{ kind: 'alert' as const, id, env: environment.key, name, at }] : []
    }),
    ...rollouts.map(({ row, env, flag }) => {
      const at = (row.seen?.at === undefined ? row.createdAt : new Date(row.seen.at)).toISOString()
      return { kind: 'rollout' as const, id: row.id, env, flag, state: row.state, at }
    }),
    ...requests
      .filter(({ state, authorId, env }) => {
        // An author cannot review their own.
        if (authorId === userId) return state !== 'open'
        return may(grant, 'changes.approve', env)
      })
      .filter(({ state, approvals }) => state !== 'open' || approvals.every(({ id }) => id !== userId))
      .map(({ authorId, reviewers, updatedAt, approvals: _approvals, ...request }) => ({
        kind: 'change-request' as const,
        ...request,
        isMine: authorId === userId,
        isRequested: reviewers.includes(userId),
        at: updatedAt.toISOString(),
      })),
    ...changes.map(({ state, at, endedAt, author, ...change }) => ({
      kind: 'scheduled-change' as const,
      ...change,
      author: author.name,
      state: state === 'failed' ? ('failed' as const) : ('pending' as const),
      at: (state === 'failed' ? (endedAt ?? at) : at).toISOString(),
    })),
    ...mentions.map(({ comment, readAt, env }) => ({
      kind: 'mention' as const,
      id: comment.id,
      on: comment.subjectKind,
      subject: comment.subjectKey,
      name: comment.subjectName,
      env,
      author: comment.authorName,
      text: comment.text.slice(0, excerptLength),
      isRead: readAt !== null,
      at: comment.createdAt.toISOString(),
    })),
  ]
  return { counts: countWaiting(items), items }
}

function countWaiting(items: readonly InboxItem[]): Reply['counts'] {
  const waiting = items.filter((item) => {
    if (item.kind === 'mention') return !item.isRead
    return item.kind !== 'scheduled-change' || item.state === 'failed'
  })
  const countOf = (kind: Kind) => waiting.filter((item) => item.kind === kind).length
  return {
    alert: countOf('alert'),
    rollout: countOf('rollout'),
    'change-request': countOf('change-request'),
    'scheduled-change': countOf('scheduled-change'),
    mention: countOf('mention'),
  }
}
