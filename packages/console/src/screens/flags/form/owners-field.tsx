import { limits } from '@telltale/core/limits'
import type { Person } from '../../../features/people/use-people.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Select } from '../../../ui/form/select.tsx'
import { Avatar } from '../../../ui/tag.tsx'

type OwnersFieldProps = {
  /** Ids of accounts. */
  owners: readonly string[]
  people: readonly Person[]
  onOwners: (owners: string[]) => void
  fault: string | undefined
  disabled: boolean
}

/** The owners of a flag: a list, and a menu that adds one. */
export function OwnersField({ owners, people, onOwners, fault, disabled }: OwnersFieldProps) {
  const isFull = owners.length >= limits.ownersPerFlag
  const others = people.filter(({ id }) => !owners.includes(id))
  return (
    <div className="grid min-w-0 gap-6">
      <Select
        label="Owners"
        hint="Answer for this flag. An environment can require the approval of one of them."
        options={[
          { value: '', label: owners.length === 0 ? 'No owner' : 'Add an owner…' },
          ...others.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value=""
        onValue={(id) => id !== '' && onOwners([...owners, id])}
        fault={fault}
        disabled={disabled || isFull}
      />
      {owners.length > 0 && (
        <ul aria-label="Chosen owners" className="flex flex-wrap gap-x-12 gap-y-4">
          {owners.map((id) => {
            const name = people.find((one) => one.id === id)?.name ?? 'Not a member of the project'
            return (
              <li key={id} className="inline-flex min-w-0 items-center gap-6">
                <Avatar name={name} />
                <span className="min-w-0 [overflow-wrap:anywhere]">{name}</span>
                <IconButton
                  icon="close"
                  label={`Remove owner ${name}`}
                  disabled={disabled}
                  onClick={() => onOwners(owners.filter((one) => one !== id))}
                />
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}
