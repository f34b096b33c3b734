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

/** A screen among the others of its kind: listed beside them, and in the palette. */
export interface Section {
  readonly of: 'settings' | 'account' | 'admin'
  readonly label: string
  /** Sections under one heading stand together. */
  readonly group?: string
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** In the navigation, in the order of the table of screens. */
    nav?: NavEntry
    section?: Section
    /** Without the shell: for those who are not signed in. */
    isPublic?: true
  }
}
