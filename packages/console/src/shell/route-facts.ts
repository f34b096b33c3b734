import type { IconName } from '../ui/icon.tsx'

export const navGroups = ['Release', 'Experience', 'Operate'] as const

/** How a screen stands in the left bar, the bottom bar and the palette. */
export interface NavEntry {
  readonly label: string
  readonly icon: IconName
  readonly group?: (typeof navGroups)[number]
  /** The letter after `g`. */
  readonly key?: string
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** In the navigation, in the order of the table of screens. */
    nav?: NavEntry
    /** Without the shell: for those who are not signed in. */
    isPublic?: true
  }
}
