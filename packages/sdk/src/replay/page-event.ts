// Events of the recorder in wire format (`rrweb-2`). Only the fields that are read here are described.

import type { FaceInUse } from './notes.ts'

export interface PageEvent {
  /** 2: full snapshot. 3: incremental change. 4: URL and size. 5: a Telltale event. */
  type: number
  data: PageChange
  /** Milliseconds since 1970. */
  timestamp: number
}

export interface PageChange {
  source?: number
  href?: string
  /** Of the whole page. */
  node?: PageNode
  adds?: { parentId: number; nextId?: number | null; node?: PageNode; rule?: string }[]
  texts?: { id: number; value: string | null }[]
  attributes?: { id: number; attributes: PageAttributes }[]
  removes?: Removed[]
  id?: number
  /** Value of a field. */
  text?: string
  isChecked?: boolean
  /** Of a style sheet. */
  replace?: string
  replaceSync?: unknown
  styleId?: number
  styles?: { styleId: number; rules: { rule: string }[] }[]
  set?: { property: string; value: unknown }
  tag?: string
  payload?: unknown
}

export interface Removed {
  parentId: number
  id?: number
  isShadow?: boolean | undefined
  /** Several of one parent: the first, and how far each is from the one before. */
  ids?: number[]
}

export type PageAttributes = Record<string, unknown>

export interface PageNode {
  id: number
  type: number
  tagName?: string
  attributes?: PageAttributes
  textContent?: string
  childNodes?: PageNode[]
  isSVG?: boolean | undefined
  isShadow?: boolean
}

export const types = { page: 2, change: 3, address: 4, word: 5 } as const
export const sources = { nodes: 0, input: 5, rule: 8 } as const
export const nodeTypes = { element: 2, text: 3, characters: 4, comment: 5 } as const

/** The tag of Telltale events, and their content. */
export const wordTag = 'telltale'

export type Word =
  /** With the first event of every recording of a page. */
  | { kind: 'recording'; level: string; reason: string }
  /** Addresses of style sheets and fonts, and the assets that hold them. */
  | { kind: 'assets'; byAddress: Record<string, string>; faces: FaceInUse[] }
  /** From now on changes are batched and sent once a second. */
  | { kind: 'throttled' }
  /** A part of the page that changed continuously is a box from now on. */
  | { kind: 'blocked'; target: string }
  | { kind: 'stopped'; why: 'over-budget' | 'refused' | 'too-large' }
  /** Data between two segments was lost. */
  | { kind: 'lost' }
