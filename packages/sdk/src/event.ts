// What the collectors hand over, before it has an id, a session and a context.

import type { EventKind, EventOf } from '@telltale/core/contract/events'
import type { Session } from './session.ts'

type Loose<Type> = { [Name in keyof Type]: Type[Name] | undefined }
type Filled = 'kind' | 'id' | 'at' | 'context'
/** What is undefined does not travel. */
export type Fields<Kind extends EventKind> = Loose<Omit<EventOf<Kind>, Filled>>

export interface Moment {
  /** Milliseconds since 1970; now, when it is not said. */
  at?: number
  /** The one that is open, when it is not said. */
  view?: View | undefined
}

export type Emit = <Kind extends EventKind>(kind: Kind, fields: Fields<Kind>, moment?: Moment) => void

export type Counts = Record<'actions' | 'resources' | 'errors' | 'longFrames' | 'frustrations', number>

/** A view of the page. */
export interface View {
  readonly id: string
  readonly startedAt: number
  readonly page: string | undefined
  readonly url: string
  readonly referrer: string | undefined
  /** Of its first event. */
  session?: Session | undefined
  counts: Counts
  vitals: NonNullable<EventOf<'view_state'>['vitals']>
  rev: number
  /** As it was last told. */
  told?: string
  hasEnded?: boolean
}
