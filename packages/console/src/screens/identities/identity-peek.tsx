import type { IdentityRow } from '../../api/identities.ts'
import { buttonClass } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy.tsx'
import { Peek } from '../../ui/overlay/peek.tsx'
import { TimeAgo } from '../../ui/text/time.tsx'
import { IdentityLink } from './identity-link.tsx'
import { TraitList } from './trait-list.tsx'

export function IdentityPeek({ identity, onClose }: { identity: IdentityRow; onClose: () => void }) {
  return (
    <Peek
      title="Identity"
      open={
        <IdentityLink targetingKey={identity.targetingKey} className={buttonClass('normal', 'small')}>
          Open with its flags
        </IdentityLink>
      }
      onClose={onClose}
    >
      <div className="grid gap-16">
        <CopyText text={identity.targetingKey} label="Copy the key" />
        <p className="text-text-2">
          Last seen <TimeAgo at={identity.lastSeenAt} />, first seen <TimeAgo at={identity.firstSeenAt} />.
        </p>
        <section className="grid gap-8">
          <h3 className="font-strong">Traits</h3>
          <TraitList traits={identity.traits} masked={identity.masked} />
        </section>
      </div>
    </Peek>
  )
}
