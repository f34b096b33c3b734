import type { ShareLink } from '@telltale/core/contract/share-links'
import type { LinkOf } from './queries.ts'

/** Expiry is derived, not stored. */
export function stateOf({ link }: Pick<LinkOf, 'link'>, now: Date): ShareLink['state'] {
  if (link.revokedAt) return 'revoked'
  return link.expiresAt <= now ? 'expired' : 'active'
}

/** A share link as the API returns it, without its token. */
export function toShareLink({ link, env }: LinkOf, now: Date): ShareLink {
  return {
    id: link.id,
    kind: link.kind,
    target: link.target,
    env,
    state: stateOf({ link }, now),
    createdBy: link.createdBy,
    createdAt: link.createdAt.toISOString(),
    expiresAt: link.expiresAt.toISOString(),
    revokedAt: link.revokedAt?.toISOString() ?? null,
    lastOpenedAt: link.lastOpenedAt?.toISOString() ?? null,
    opened: link.opened,
  }
}

/** The fields of a link in the audit log. */
export function auditedLink({ link, env }: LinkOf, now: Date): object {
  const { kind, target, state, expiresAt } = toShareLink({ link, env }, now)
  return { kind, target, state, expiresAt }
}
