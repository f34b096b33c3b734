import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Combobox } from '../../ui/form/combobox.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Popover } from '../../ui/overlay/popover.tsx'

interface Trait {
  readonly name: string
  readonly value: string
}

type TraitFilterProps = {
  trait: Trait | undefined
  onTrait: (trait: Trait | undefined) => void
  /** Trait names seen in the list. */
  known: readonly string[]
}

/** A trait and its required value. Both are in the URL. */
export function TraitFilter({ trait, onTrait, known }: TraitFilterProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      label="Filter by a trait"
      open={isOpen}
      onOpen={setOpen}
      trigger={
        <button
          type="button"
          className={`${buttonClass()} min-w-0 max-w-full ${trait ? 'border-transparent! bg-accent-soft!' : ''}`}
        >
          <span className="max-w-[28ch] truncate">{trait ? `${trait.name}: ${trait.value}` : 'Trait'}</span>
          <Icon name="down" className="size-16 text-text-2" />
        </button>
      }
    >
      <TraitForm
        trait={trait}
        known={known}
        onTrait={(next) => {
          setOpen(false)
          onTrait(next)
        }}
      />
    </Popover>
  )
}

function TraitForm({ trait, onTrait, known }: TraitFilterProps) {
  const [name, setName] = useState(trait?.name ?? '')
  const [value, setValue] = useState(trait?.value ?? '')
  const [isChecked, setChecked] = useState(false)

  return (
    <form
      className="grid gap-12"
      onSubmit={(event) => {
        event.preventDefault()
        setChecked(true)
        if (name.trim() !== '' && value !== '') onTrait({ name: name.trim(), value })
      }}
    >
      <Combobox
        label="Trait"
        code
        placeholder="plan"
        suggestions={known.map((one) => ({ value: one }))}
        maxLength={limits.attributeLength}
        value={name}
        onValue={setName}
        fault={isChecked && name.trim() === '' ? 'Enter a trait.' : undefined}
      />
      <Field
        label="Equals"
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
        maxLength={limits.traitLength}
        fault={isChecked && value === '' ? 'Enter a value.' : undefined}
        autoComplete="off"
        spellCheck={false}
      />
      <div className="flex justify-end gap-8">
        {trait && (
          <Button look="quiet" onClick={() => onTrait(undefined)}>
            Any
          </Button>
        )}
        <Button type="submit" look="primary">
          Filter
        </Button>
      </div>
    </form>
  )
}
