// What a replay consists of: operations on a recorded page, in order. Every recording is converted into them, and the
// player knows nothing else. They are plain JSON: one line each on the way to the player.

import type { bodyStates, consoleLevels, pressKinds, requestKinds } from './codes.ts'

/** Given in the order in which nodes are recorded, from 1, which is the document. They begin anew with each page. */
export type NodeId = number

/** The style sheet of a `style` or `link` element, or a constructed one by its number. */
export type SheetRef = { readonly node: NodeId } | { readonly constructed: number }

/** From the sheet to a rule: its index, within that rule the next index, and so on. */
export type RulePath = readonly number[]

/** What no attribute shows. Sizes in CSS pixels. */
export interface ElementState {
  /** Of a field, a text area or a select. */
  readonly value?: string
  /** Of a check box, a radio button or an option. */
  readonly checked?: boolean
  readonly scroll?: { readonly x: number; readonly y: number }
  /** It is shown as a box of this size: its content is not recorded. */
  readonly box?: { readonly width: number; readonly height: number }
  readonly open?: OpenState
  /** Rules of its style sheet, where they differ from its text or come from a link. */
  readonly sheet?: string
  /** A custom element whose class is defined. */
  readonly defined?: boolean
  readonly playing?: boolean
}

/** Of a dialog or a popover. */
export type OpenState = 'closed' | 'open' | 'modal' | 'popover'

export interface ReplayElement {
  readonly kind: 'element'
  readonly id: NodeId
  /** As `localName` gives it. */
  readonly tag: string
  /** HTML without it. */
  readonly space?: 'svg' | 'math'
  readonly attributes: Readonly<Record<string, string>>
  readonly state?: ElementState
  readonly shadow?: ReplayShadow
  /** Of a frame of the same origin. */
  readonly document?: ReplayDocument
  readonly children: readonly ReplayNode[]
}

export interface ReplayShadow {
  readonly id: NodeId
  readonly adopted?: readonly number[]
  readonly children: readonly ReplayNode[]
}

export interface ReplayDocument {
  readonly id: NodeId
  /** Without a doctype, in quirks mode. */
  readonly isQuirky?: boolean
  readonly adopted?: readonly number[]
  readonly scroll?: { readonly x: number; readonly y: number }
  readonly children: readonly ReplayNode[]
}

export type ReplayNode =
  | ReplayElement
  | { readonly kind: 'text'; readonly id: NodeId; readonly text: string }
  | { readonly kind: 'doctype'; readonly id: NodeId }
  /** A node that exists already: it moves here with all that is in it. */
  | { readonly kind: 'known'; readonly id: NodeId }

interface PointerPosition {
  readonly at: number
  /** In the window of the node's document. */
  readonly x: number
  readonly y: number
  readonly id: NodeId
}

export type PressKind = (typeof pressKinds)[number]

export type ConsoleLevel = (typeof consoleLevels)[number]

/** Without secrets. */
export interface RecordedBody {
  /** `text`: what the environment allows of it; `cut`: the beginning of that; otherwise the reason why it is missing. */
  readonly state: (typeof bodyStates)[number]
  /** Of the whole body; 0: unknown. */
  readonly size: number
  readonly mime: string
  readonly text: string
}

/** Of a request or a response. Only the headers that the environment allows. */
export interface RecordedMessage {
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: RecordedBody
}

export interface RecordedRequest {
  readonly kind: (typeof requestKinds)[number]
  readonly method: string
  /** Without query values. */
  readonly address: string
  /** 0: no response. */
  readonly status: number
  /** Until the response was there, milliseconds. */
  readonly duration: number
  readonly request: RecordedMessage
  readonly response: RecordedMessage
}

type Change =
  /** The page from here on: everything before is gone, node ids begin anew. Without a size, it is that of before. */
  | {
      readonly do: 'page'
      readonly width: number
      readonly height: number
      readonly document: ReplayDocument
    }
  /** Before the node `before`, or at the end. */
  | {
      readonly do: 'insert'
      readonly parent: NodeId
      readonly before: NodeId | null
      readonly nodes: readonly ReplayNode[]
    }
  | { readonly do: 'remove'; readonly ids: readonly NodeId[] }
  | { readonly do: 'text'; readonly id: NodeId; readonly text: string }
  /** Null removes it. */
  | { readonly do: 'attribute'; readonly id: NodeId; readonly name: string; readonly value: string | null }
  /** Each member that is there has changed. */
  | { readonly do: 'state'; readonly id: NodeId; readonly state: ElementState }
  /** A shadow root that was attached to a node that exists. One that is known already stays as it is. */
  | { readonly do: 'shadow'; readonly id: NodeId; readonly shadow: ReplayShadow }
  /** What a frame shows from here on. */
  | { readonly do: 'document'; readonly id: NodeId; readonly document: ReplayDocument }
  /** The whole text of a sheet. A constructed one comes into being with it. */
  | { readonly do: 'sheet'; readonly sheet: SheetRef; readonly text: string }
  | { readonly do: 'insert-rule'; readonly sheet: SheetRef; readonly path: RulePath; readonly text: string }
  | { readonly do: 'delete-rule'; readonly sheet: SheetRef; readonly path: RulePath }
  /** Null removes the declaration. Without a path: of the inline style of the element. */
  | {
      readonly do: 'declare'
      readonly sheet: SheetRef
      readonly path: RulePath
      readonly property: string
      readonly value: string | null
      readonly important: boolean
    }
  /** Constructed sheets of a document or a shadow root, all of them. */
  | { readonly do: 'adopt'; readonly id: NodeId; readonly sheets: readonly number[] }
  | { readonly do: 'viewport'; readonly width: number; readonly height: number }
  /** Pinch zoom: the part of the viewport that is seen. */
  | { readonly do: 'zoom'; readonly scale: number; readonly x: number; readonly y: number }
  | { readonly do: 'pointer'; readonly positions: readonly PointerPosition[] }
  | {
      readonly do: 'press'
      readonly kind: PressKind
      readonly x: number
      readonly y: number
      readonly id: NodeId
    }
  | { readonly do: 'focus'; readonly id: NodeId | null }
  /** A picture of a canvas or an image, base64. */
  | { readonly do: 'canvas'; readonly id: NodeId; readonly mime: string; readonly data: string }
  /** `args`: where the text does not show them whole; JSON where they are objects. */
  | {
      readonly do: 'console'
      readonly level: ConsoleLevel
      readonly text: string
      readonly args: readonly string[]
    }
  /** At the time of its response. */
  | ({ readonly do: 'request' } & RecordedRequest)
  /** A message of the recorder about itself or its page, e.g. `{ kind: 'lost' }`. */
  | { readonly do: 'note'; readonly note: Readonly<Record<string, unknown>> }

/** `at`: milliseconds since 1970 by the clock of the page. */
export type ReplayOperation = Change & { readonly at: number }
