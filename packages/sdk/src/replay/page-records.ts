// Between the recorder of the tree and what watches the rest of a page (fields, scrolling, style sheets, the pointer).

import type { Stream } from './stream.ts'

/** Writes whole records. `at`: the time they hold for. */
export type WriteRecord = (stream: Stream, at: number) => void

/** What watches a page hands its records to it. Nothing is written at once: an event handler of the page stays cheap. */
export interface PageRecords {
  /** 0: the node is not recorded, or not yet. */
  idOf(node: Node | null | undefined): number
  /**
   * Writes whole records after the changes of the tree that are due. `at`: when it happened, milliseconds since 1970;
   * without it, when it is written. What is queued while others are written is written after them.
   */
  queue(write: WriteRecord, at?: number): void
  /**
   * Writes the records of a state of a node, once per name however often it changed. Left out when the whole node is
   * written meanwhile, which includes its state. The node may be a document or a shadow root.
   */
  queueState(node: Node, name: string, write: WriteRecord): void
}

/** The recorder of the tree calls it while it writes an element, and for each document and shadow root. */
export interface PageStates {
  /** It is shown as a box: its content is not recorded. */
  isBox(element: Element): boolean
  /** Writes the states of an element (parts 9 to 18), and watches it from then on. True: a box, without its content. */
  write(element: Element, stream: Stream): boolean
  /** The parts of a root that come before its children, and listeners on it. Called again with every full snapshot. */
  writeRoot(root: Document | ShadowRoot, stream: Stream): void
  /** The text of a `style` element, as it may leave the page, or the mark of the asset that holds it. */
  writeText(style: Element, text: string, stream: Stream): void
  /** Children or attributes changed: states change with them, some without an event. */
  rearranged(records: readonly MutationRecord[]): void
  /** Listens on a shadow root from when it is attached: events of its elements do not leave it. Once is enough. */
  listen(root: Document | ShadowRoot): void
  /**
   * What was due has been written. Until then positions and sizes are read as elements of roots without listeners are
   * written, from then on only events report them: writing changes never forces a layout.
   */
  settled(): void
}
