// Makes an event out of what a collector saw: an id, the session, the view, the person, and the variations that were in force
// at that moment. Until it is known whether and how anything may leave the page, events wait here, within a bound.

import type { EventContext, EventKind, FlagRead, TelemetryEvent } from '@telltale/core/contract/events'
import { samplePosition } from '@telltale/core/keys'
import { guarded } from './browser/guard.ts'
import { createUuid } from './browser/uuid.ts'
import { type CleanAttributes, cleanDeep } from './clean.ts'
import type { Emit, View } from './event.ts'
import type { BeforeSend } from './monitoring.ts'
import type { Session, Sessions } from './session.ts'

export interface AssemblerOptions {
  sessions: Sessions
  /** What is the same for all events of this page. */
  page: { [Name in 'tab' | 'service' | 'version' | 'connection']: EventContext[Name] | undefined }
  currentView(): View
  onSession(): void
  send(event: TelemetryEvent, context: EventContext): void
  beforeSend: BeforeSend | undefined
  /** Addresses in texts, as the privacy level allows them. */
  cleanText(text: string): string
  /** Of an event that is sent. Whether a replay shows it. */
  note(event: TelemetryEvent, context: EventContext): boolean | undefined
}

/** Who it is, and what the application says of all events. Replaced, never changed. */
export interface State {
  readonly userKey: string | undefined
  readonly attributes: CleanAttributes | undefined
}

export interface Assembler {
  emit: Emit
  change(state: Partial<State>): void
  state(): State
  /** Lets out what waited, for this percentage of sessions. */
  open(sampling: number): void
  /** Nothing leaves any more, and what waits is forgotten. */
  clear(): void
  /** Somebody is there. Whether there is a session, which may have begun with that. */
  touch(): boolean
  session(): Session | undefined
}

type Waiting = [event: TelemetryEvent, view: View, state: State]

const waitingKept = 500
/** Of each kind: a page that does more does it in a loop. What is beyond is counted, and the count is sent. */
const perMinute = 300
const minute = 60_000

export function createAssembler(options: AssemblerOptions): Assembler {
  const { sessions, page, currentView, onSession, send, beforeSend, note, cleanText } = options
  let waiting: Waiting[] = []
  let state: State = { userKey: undefined, attributes: undefined }
  let sampling: number | undefined
  let session: Session | undefined
  let counts: Partial<Record<EventKind, number>> = {}
  let countedMinute = 0
  /** Events that were too much, since their number was last sent. */
  let leftOut = 0

  const isTooMuch = (kind: EventKind) => {
    const now = Math.floor(Date.now() / minute)
    if (now !== countedMinute) counts = {}
    countedMinute = now
    counts[kind] = (counts[kind] ?? 0) + 1
    return kind !== 'exposure' && counts[kind] > perMinute
  }

  const use = () => {
    const next = sessions.use(!document.hidden)
    const isOther = session && next && session.id !== next.id
    session = next
    if (isOther) onSession()
    return session
  }
  // Each by itself: one that the application chokes on must not take the others along.
  const pass = guarded((given: TelemetryEvent, view: View, of: State) => {
    if (!view.session || view.session.id === session?.id) view.session = session
    if (!view.session || sampling === undefined || samplePosition(view.session.id) >= sampling / 100) return
    const weight = sampling < 100 ? 100 / sampling : undefined
    const event = cleanDeep(given, cleanText)
    const context = {
      ...{ ...contextOf(view.session, view, event.at), ...page, userKey: of.userKey, weight },
      // The application names the page: that may be an address.
      ...cleanDeep({ page: view.page, attributes: of.attributes }, cleanText),
    } as EventContext
    if (beforeSend?.(event, context) === false) return
    if (note(event, context)) context.hasReplay = true
    send(event, context)
  })
  const put: Emit = (kind, fields, { at = Date.now(), view } = {}) => {
    if (sampling !== undefined) use()
    // What is undefined does not travel.
    const event = { kind, id: createUuid(), at: Math.max(0, at), context: 0, ...fields } as TelemetryEvent
    const next: Waiting = [event, view ?? currentView(), state]
    if (sampling !== undefined) pass(...next)
    else if (waiting.push(next) > waitingKept) waiting.shift()
  }
  return {
    emit(kind, fields, moment) {
      if (isTooMuch(kind)) {
        leftOut++
        return
      }
      // With how the view goes on, at the latest when the page is left.
      if (leftOut && kind === 'view_state') {
        put('custom', { name: 'telltale.left-out', value: leftOut })
        leftOut = 0
      }
      put(kind, fields, moment)
    },
    change(next) {
      state = { ...state, ...next }
    },
    state: () => state,
    open(percentage) {
      sampling = percentage
      use()
      for (const each of waiting.splice(0)) pass(...each)
    },
    clear() {
      sampling = session = undefined
      waiting = []
    },
    touch: () => sampling !== undefined && use() !== undefined,
    session: () => session,
  }
}

function contextOf(session: Session, view: View, at: number) {
  const { id, url, referrer } = view
  const { anonymousId, userKey: sessionUserKey } = session
  return {
    ...{ kind: 'context', index: 0 },
    session: session.id,
    view: id,
    url,
    referrer,
    anonymousId,
    sessionUserKey,
    reads: readsUntil(session, at),
  }
}

/** Only what was read by then: what happened before a flag was read is not the work of its variation. */
function readsUntil({ reads }: Session, time: number): FlagRead[] | undefined {
  const byFlag = new Map<string, FlagRead>()
  for (const { at, ...read } of reads) if (at <= time) byFlag.set(read.flag, read)
  return byFlag.size > 0 ? [...byFlag.values()] : undefined
}
