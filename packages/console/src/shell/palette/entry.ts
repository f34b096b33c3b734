import type { ReactNode } from 'react'
import type { IconName } from '../../ui/icon.tsx'

/** A destination or an action. Actions that change production end in "…" and open their review dialog. */
export interface PaletteEntry {
  readonly id: string
  readonly group: string
  readonly icon: IconName
  readonly label: string
  /** Secondary text: the name beside a key. */
  readonly note?: string
  /** In monospace. */
  readonly isKey?: boolean
  readonly shortcut?: string
  /** At the end of the row; not focusable. */
  readonly picture?: ReactNode
  readonly run: () => void
}
