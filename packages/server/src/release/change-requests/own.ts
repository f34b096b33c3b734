import { problem } from '@telltale/core/errors'
import type { PlacedRequest } from './queries.ts'

/** Throws `forbidden` for everyone except the author. */
export function refuseForeign({ request }: PlacedRequest, userId: string): void {
  if (request.authorId === userId) return
  throw problem('forbidden', `Only ${request.authorName}, the author, can do this.`)
}

/** Throws `forbidden` for the author, with any role and any token. */
export function refuseOwn({ request }: PlacedRequest, userId: string): void {
  if (request.authorId !== userId) return
  throw problem('forbidden', {
    detail: 'You cannot review your own change request.',
    permission: 'changes.approve',
  })
}
