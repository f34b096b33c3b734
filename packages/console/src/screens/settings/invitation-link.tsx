import type { IssuedInvitation } from '../../api/invitations.ts'
import { Notice } from '../../ui/notice.tsx'
import { ShownOnce } from '../../ui/overlay/shown-once.tsx'
import { NewSecret } from '../../ui/secret.tsx'
import { Time } from '../../ui/text/time.tsx'

export function InvitationLink({ issued, onClose }: { issued: IssuedInvitation; onClose: () => void }) {
  const { invitation, mailed, url } = issued
  return (
    <ShownOnce title={`The invitation of ${invitation.email}`} onClose={onClose}>
      {mailed ? (
        <Notice tone="info" title="Sent by e-mail" detail="If it does not arrive, use this link." />
      ) : (
        <p className="text-pretty text-text-2">
          Not e-mailed: this installation has no mail server or public address. Send the link to{' '}
          {invitation.email} yourself.
        </p>
      )}
      <NewSecret name="link" value={url} />
      <p className="text-12 text-text-3">
        Works once, until <Time at={invitation.expiresAt} />.
      </p>
    </ShownOnce>
  )
}
