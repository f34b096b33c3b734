// Events as the collectors produce them, before they get an id, a session and a context.

import type { EventKind, EventOf } from '@telltale/core/contract/events'
import type { Session } from './session.ts'

type Loose<Type> = { [Name in keyof Type]: Type[Name] | undefined }
type Filled = 'kind' | 'id' | 'at' | 'context'
/** Undefined values are not serialized. */
export type Fields<Kind extends EventKind> = Loose<Omit<EventOf<Kind>, Filled>>

export interface Moment {
  /** Milliseconds since 1970. Default: now. */
  at?: number
  /** Default: the open view. */
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
  /** As last sent. */
  lastSent?: string
  duration?: number
  /** How it ended. */
  exit?: EventOf<'view_state'>['exit']
}
