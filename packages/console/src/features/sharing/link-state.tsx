import type { ShareLink } from '../../api/share-links.ts'
import { Badge } from '../../ui/tag.tsx'
import { Time } from '../../ui/text/time.tsx'

export function LinkState({ link }: { link: ShareLink }) {
  if (link.state === 'revoked') {
    return (
      <span className="text-text-3">
        Revoked <Time at={link.revokedAt} />
      </span>
    )
  }
  if (link.state === 'expired') {
    return (
      <span className="text-text-3">
        Expired <Time at={link.expiresAt} />
      </span>
    )
  }
  return (
    <span className="inline-flex flex-wrap items-center gap-x-8">
      <Badge tone="ok">Active</Badge>
      <span className="text-12 text-text-3">
        until <Time at={link.expiresAt} />
      </span>
    </span>
  )
}
