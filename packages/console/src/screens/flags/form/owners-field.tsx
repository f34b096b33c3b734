import { type Owner, ownerIdsOf } from '../../../features/people/use-owners.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Select } from '../../../ui/form/select.tsx'
import { Avatar } from '../../../ui/tag.tsx'
import { addableOwners, type Owners } from './addable-owners.ts'

type OwnersFieldProps = {
  chosen: Owners
  candidates: readonly Owner[]
  onOwners: (owners: Owners) => void
  fault: string | undefined
  disabled: boolean
}

/** The owners of a flag: a list, and a menu that adds one. */
export function OwnersField({ chosen, candidates, onOwners, fault, disabled }: OwnersFieldProps) {
  const owners = ownerIdsOf(chosen)
  const others = addableOwners(chosen, candidates)
  const isFull = candidates.length > owners.length && others.length === 0
  return (
    <div className="grid min-w-0 gap-6">
      <Select
        label="Owners"
        hint="Users and teams that answer for this flag. An environment can require the approval of one of them."
        options={[
          { value: '', label: owners.length === 0 ? 'No owner' : 'Add an owner…' },
          ...others.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value=""
        onValue={(id) => id !== '' && onOwners(withOwner(chosen, candidates, id))}
        fault={fault}
        disabled={disabled || isFull}
      />
      {owners.length > 0 && (
        <ul aria-label="Chosen owners" className="flex flex-wrap gap-x-12 gap-y-4">
          {owners.map((id) => {
            const name = candidates.find((one) => one.id === id)?.name ?? 'Not a member of the project'
            return (
              <li key={id} className="inline-flex min-w-0 items-center gap-6">
                <Avatar name={name} />
                <span className="min-w-0 [overflow-wrap:anywhere]">{name}</span>
                <IconButton
                  icon="close"
                  label={`Remove owner ${name}`}
                  disabled={disabled}
                  onClick={() => onOwners(withoutOwner(chosen, id))}
                />
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}

function withOwner({ owners, ownerTeams }: Owners, candidates: readonly Owner[], id: string): Owners {
  const isTeam = candidates.some((one) => one.id === id && one.isTeam)
  return isTeam ? { owners, ownerTeams: [...ownerTeams, id] } : { owners: [...owners, id], ownerTeams }
}

function withoutOwner({ owners, ownerTeams }: Owners, id: string): Owners {
  return {
    owners: owners.filter((one) => one !== id),
    ownerTeams: ownerTeams.filter((one) => one !== id),
  }
}
