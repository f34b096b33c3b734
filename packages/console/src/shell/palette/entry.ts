import type { ReactNode } from 'react'
import type { IconName } from '../../ui/icon.tsx'

/** Something to go to, or to do. What changes production ends in "…" and opens its review dialog. */
export interface PaletteEntry {
  readonly id: string
  readonly group: string
  readonly icon: IconName
  readonly label: string
  /** A second, quieter text: the name beside a key. */
  readonly note?: string
  /** Written in code type. */
  readonly isKey?: boolean
  readonly shortcut?: string
  /** At the end of the row; nothing that takes the focus. */
  readonly picture?: ReactNode
  readonly run: () => void
}
