import { Button, buttonClass } from '../../ui/button.tsx'
import { Empty } from '../../ui/states.tsx'
import { IdentityLink } from './identity-link.tsx'

/** How identities come about: nobody creates them by hand. */
export function NoIdentities({ environment }: { environment: string }) {
  return (
    <Empty title={`Nobody was seen in ${environment} yet`}>
      An identity appears here by itself, a few seconds after an application evaluates flags for a context
      with a <code>targetingKey</code>. The other members of that context become its traits. To prepare an
      override for somebody who never came, type the key above.
    </Empty>
  )
}

export function NoMatch({ text, onClear }: { text: string | undefined; onClear: () => void }) {
  return (
    <Empty
      title={text === undefined ? 'Nobody has this trait with this value' : 'No identity begins like this'}
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
        ? 'Text, numbers and true or false are compared as a whole, small and capital letters apart.'
        : 'Who was never seen can still be opened: to see what the flags would serve, or to give an override.'}
    </Empty>
  )
}
