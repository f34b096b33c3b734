import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { useShortcut } from '../ui/keyboard.tsx'
import { usePaletteEntries } from './palette/registry.ts'

interface NewThing {
  /** `New flag`. */
  label: string
  mayCreate: boolean
  /** Who creates them, for those who may not; nothing where the screen says so itself. */
  missing?: string
  create: () => void
}

/** The button for a new one, its key, and its line in the palette. */
export function useNewButton({ label, mayCreate, missing, create }: NewThing): ReactNode {
  useShortcut(mayCreate ? { keys: 'c', label, run: create } : undefined)
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
      {label}
    </Button>
  )
}
