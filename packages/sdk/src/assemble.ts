// Builds an event from a collector's data: adds id, session, view, user, and the variations in force at that moment.
// Until consent and settings are known and there is a session, events wait here, up to a limit.

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
  /** Common to all events of this page. */
  page: { [Name in 'tab' | 'service' | 'version' | 'connection']: EventContext[Name] | undefined }
  currentView(): View
  onSession(): void
  send(event: TelemetryEvent, context: EventContext): void
  beforeSend: BeforeSend | undefined
  /** Addresses in texts, as the privacy level allows them. */
  cleanText(text: string): string
  /** Called for each sent event. Returns whether a replay shows it. */
  note(event: TelemetryEvent, context: EventContext): boolean | undefined
}

/** What the application names the user, and its signature. */
export interface User {
  readonly userKey: string | undefined
  readonly signature: string | undefined
}

/** The user, and the application's context for all events. Replaced, never mutated. */
export interface State {
  readonly user?: User
  readonly attributes?: CleanAttributes | undefined
}

export interface Assembler {
  emit: Emit
  change(state: Partial<State>): void
  state(): State
  /** Releases the waiting events, for this percentage of sessions. */
  open(sampling: number): void
  /** Stops sending and discards waiting events. */
  clear(): void
  /** The user is active. Returns whether there is a session, which this activity may have started. */
  touch(): boolean
  /** The last one. */
  session(): Session | undefined
}

type Waiting = [event: TelemetryEvent, view: View, state: State]

const waitingKept = 500
/** Per kind: a page that exceeds it does so in a loop. Excess events are counted, and the count is sent. */
const perMinute = 300
const minute = 60_000

export function createAssembler(options: AssemblerOptions): Assembler {
  const { sessions, page, currentView, onSession, send, beforeSend, note, cleanText } = options
  let waiting: Waiting[] = []
  let state: State = {}
  /** Percent of sessions. 0: nothing may leave the page. */
  let sampling = 0
  /** Also after it has ended. */
  let latest: Session | undefined
  let wasSeen = false
  let counts: Partial<Record<EventKind, number>> = {}
  let countedFrom = 0
  /** Dropped events since the count was last sent. */
  let leftOut = 0

  const isTooMuch = (kind: EventKind) => {
    if (Math.abs(Date.now() - countedFrom) > minute) {
      counts = {}
      countedFrom = Date.now()
    }
    counts[kind] = (counts[kind] ?? 0) + 1
    return kind !== 'exposure' && counts[kind] > perMinute
  }

  // Handle each event separately: one that throws in application code must not drop the others.
  const pass = guarded((now: Session, [given, view, of]: Waiting) => {
    if (!view.session || view.session.id === now.id) view.session = now
    if (samplePosition(view.session.id) >= sampling / 100) return
    const weight = sampling < 100 ? 100 / sampling : undefined
    const event = cleanDeep(given, cleanText)
    const context = {
      ...contextOf(view.session, view, event.at),
      ...page,
      ...of.user,
      weight,
      // The application names the page, possibly with a URL.
      ...cleanDeep({ page: view.page, attributes: of.attributes }, cleanText),
    } as EventContext
    if (beforeSend?.(event, context) === false) return
    if (note(event, context)) context.hasReplay = true
    send(event, context)
  })
  const release = () => {
    if (latest) for (const each of waiting.splice(0)) pass(latest, each)
  }
  const use = () => {
    wasSeen ||= !document.hidden
    if (!sampling) return false
    // A page that was seen has a user, even if it is left before data may be sent.
    const session = sessions.use(latest ? !document.hidden : wasSeen)
    const former = latest
    latest = session ?? former
    if (former && former.id !== latest?.id) onSession()
    release()
    return !!session
  }
  const put: Emit = (kind, fields, { at = Date.now(), view } = {}) => {
    use()
    // Undefined values are not serialized.
    const event = { kind, id: createUuid(), at: Math.max(0, at), context: 0, ...fields } as TelemetryEvent
    if (waiting.push([event, view ?? currentView(), state]) > waitingKept) waiting.shift()
    release()
  }
  return {
    emit(kind, fields, moment) {
      if (isTooMuch(kind)) {
        leftOut++
        return
      }
      // Sent with the view's next update, at the latest when the page is left.
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
    },
    clear() {
      sampling = 0
      latest = undefined
      waiting = []
    },
    touch: use,
    session: () => latest,
  }
}

function contextOf(session: Session, view: View, at: number) {
  const { id, url, referrer } = view
  const { anonymousId, userKey: sessionUserKey, signature: sessionSignature } = session
  return {
    kind: 'context',
    index: 0,
    session: session.id,
    view: id,
    url,
    referrer,
    anonymousId,
    sessionUserKey,
    sessionSignature,
    reads: readsUntil(session, at),
  }
}

/** Only variations read by then: an event before a read is not an effect of the variation. */
function readsUntil({ reads }: Session, time: number): FlagRead[] | undefined {
  const byFlag = new Map<string, FlagRead>()
  for (const { at, ...read } of reads) if (at <= time) byFlag.set(read.flag, read)
  return byFlag.size > 0 ? [...byFlag.values()] : undefined
}
