// What the recorder knows of a page, in the form in which it travels (`rrweb-2`). Only what is read here is described.

export interface PageEvent {
  /** 2: the whole page. 3: a change. 4: address and size. 5: a word of ours. */
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
  /** What stands in a field. */
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

/** The tag of our words, and what they say. */
export const wordTag = 'telltale'

/** A font that a program loaded: no style sheet names its file. */
export interface FaceInUse {
  family: string
  style: string
  weight: string
  stretch: string
  unicodeRange: string
  address: string
}

export type Word =
  /** With the first event of every recording of a page. */
  | { kind: 'recording'; level: string; reason: string }
  /** Addresses of style sheets and fonts, and the assets that hold them. */
  | { kind: 'assets'; byAddress: Record<string, string>; faces: FaceInUse[] }
  /** From now on changes are gathered and told once a second. */
  | { kind: 'throttled' }
  /** A part of the page that changed all the time is a box from now on. */
  | { kind: 'blocked'; target: string }
  | { kind: 'stopped'; why: 'over-budget' | 'refused' | 'too-large' }
  /** What was recorded between two segments did not get through. */
  | { kind: 'lost' }
