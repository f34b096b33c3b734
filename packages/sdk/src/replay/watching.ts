// What the watchers of a page share.

import type { Hook } from '../browser/hook.ts'
import type { Clock } from './clock.ts'
import type { PageRecords } from './page-records.ts'

export interface PageMask {
  /** It is a box. */
  isBlocked(element: Element): boolean
  /** A canvas or an image whose pixels are wanted. */
  isPicture(element: Element): boolean
  /** A value as it may leave the page; undefined: not at all. */
  value(field: Element, text: string): string | undefined
  /** Of a check box, a radio button or an option. */
  isCheckShown(field: Element): boolean
  /** Input in it is not recorded. */
  isIgnored(node: Node): boolean
  /** Its text is masked. */
  isHidden(element: Element): boolean
  /** Nothing in it can be unmasked. */
  isFixed(element: Element): boolean
}

export interface Watching {
  records: PageRecords
  clock: Clock
  mask: PageMask
  /** Until recording stops. */
  listen<Heard extends Event>(
    target: EventTarget | null,
    types: string,
    onEvent: (event: Heard) => void,
  ): void
  hook(hook: Hook): void
  /** The root of the node is being written for the first time, and nothing was heard of it: its layout may be read. */
  isFresh(node: Node): boolean
}

/** A window of the page, with the prototypes of its own. */
export type PageWindow = Window & typeof globalThis

/** Where the event began, also within open shadow roots. */
export function originOf(event: Event): Element | Document | undefined {
  const [origin] = event.composedPath()
  const { nodeType } = Object(origin)
  return nodeType === 1 || nodeType === 9 ? (origin as Element | Document) : undefined
}
