import { Button, buttonClass } from '../../ui/button.tsx'
import { Empty } from '../../ui/states.tsx'
import { IdentityLink } from './identity-link.tsx'

/** How identities come about: nobody creates them by hand. */
export function NoIdentities({ environment }: { environment: string }) {
  return (
    <Empty title={`No identities in ${environment} yet`}>
      An identity appears here a few seconds after an application evaluates flags with a{' '}
      <code>targetingKey</code>. Other attributes of the context become its traits. To add an override for an
      identity that has not been seen, enter its key above.
    </Empty>
  )
}

export function NoMatch({ text, onClear }: { text: string | undefined; onClear: () => void }) {
  return (
    <Empty
      title={text === undefined ? 'No identities with this trait' : 'No identities with this prefix'}
      action={
        <span className="flex flex-wrap justify-center gap-8">
          <Button onClick={onClear}>Clear the filter</Button>
          {text !== undefined && (
            <IdentityLink targetingKey={text} className={`${buttonClass()} max-w-card`}>
              <span className="truncate">Open {text} anyway</span>
            </IdentityLink>
          )}
        </span>
      }
    >
      {text === undefined
        ? 'Values must match exactly. Case matters.'
        : 'You can open an identity that has not been seen to preview its flags or add an override.'}
    </Empty>
  )
}
