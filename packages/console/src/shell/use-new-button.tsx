import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { useShortcut } from '../ui/keyboard.tsx'
import { usePaletteEntries } from './palette/registry.ts'

interface NewThing {
  /** `New flag`. */
  label: string
  mayCreate: boolean
  /** Text on permissions for accounts that may not create one; undefined if the screen has its own. */
  missing?: string
  create: () => void
}

/** The button for a new item, with its shortcut and its palette entry. */
export function useNewButton({ label, mayCreate, missing, create }: NewThing): ReactNode {
  useShortcut(mayCreate ? { keys: 'c', label, run: create } : undefined)
  const [first, ...rest] = label.split(' ')
  const id = label.toLowerCase().replaceAll(' ', '-')
  usePaletteEntries(mayCreate ? [{ id, group: 'Do', icon: 'plus', label, run: create }] : [])
  return (
    <Button
      look="primary"
      icon="plus"
      onClick={create}
      disabled={!mayCreate}
      title={mayCreate ? undefined : missing && `Read-only: ${missing}.`}
    >
      <span>
        {first}
        <span className="max-wide:sr-only"> {rest.join(' ')}</span>
      </span>
    </Button>
  )
}
