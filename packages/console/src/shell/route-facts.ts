import type { IconName } from '../ui/icon.tsx'

export const navGroups = ['Release', 'Experience', 'Servers', 'Operate'] as const

/** A screen's entry in the left bar, the bottom bar and the palette. */
export interface NavEntry {
  readonly label: string
  readonly icon: IconName
  readonly group?: (typeof navGroups)[number]
  /** The letter after `g`. */
  readonly key?: string
  /** Shown beside the label: how many items need attention. */
  readonly count?: 'inbox'
}

/** A screen of a section: listed beside the others, and in the palette. */
export interface Section {
  readonly of: 'settings' | 'account' | 'admin'
  readonly label: string
  /** Groups sections under one heading. */
  readonly group?: string
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** In the navigation, in the order of the route table. */
    nav?: NavEntry
    section?: Section
    /** Without the shell: for visitors who are not signed in. */
    isPublic?: true
  }
}
