// One session as the SDK would report it: the open view, the flags evaluated so far, and a clock that only moves
// forward.

import type {
  EventContext,
  EventKind,
  EventOf,
  FlagRead,
  TelemetryEvent,
} from '@telltale/core/contract/events'
import type { JsonValue } from '@telltale/core/contract/trace'
import type { Person } from './people.ts'
import type { Random } from './random.ts'
import type { ShopScripts } from './scripts.ts'

/** What a flag serves to this user. */
export interface Decided {
  value: JsonValue
  read: FlagRead
}
export type DecidedFlags = ReadonlyMap<string, Decided>

/** An event and its context; events with the same context share one object. */
export interface TapeEvent {
  at: number
  event: TelemetryEvent
  context: EventContext
}

export interface TapeOptions {
  random: Random
  person: Person
  startedAt: number
  /** The shop's URL, without a trailing slash. */
  shop: string
  scripts: ShopScripts
  version: string
  referrer: string
  flags: DecidedFlags
  /** When orders fail. */
  outage: Period | undefined
  /** When categories at a glance fail; undefined: they were fixed. */
  quickViewBroken: Period | undefined
}

export interface Period {
  from: number
  until: number
}

type Fields<Kind extends EventKind> = Omit<EventOf<Kind>, 'kind' | 'id' | 'at' | 'context'>
export type Vital = EventOf<'vital'>['name']

export interface Place {
  /** The route template. */
  page: string
  path: string
}

export interface Tape {
  readonly options: TapeOptions
  readonly timeline: TapeEvent[]
  now(): number
  wait(span: number): void
  /** Opens another view; the first one loads the page. */
  open(place: Place): void
  isLoad(): boolean
  /** Records an event and returns its id. `later`: offset from now in milliseconds. */
  report<Kind extends EventKind>(kind: Kind, fields: Fields<Kind>, later?: number): string
  vital(name: Vital, value: number, target?: string): void
  /** The value of a flag, which counts as evaluated from now on. */
  read(flag: string): JsonValue | undefined
  end(): void
}

interface OpenView {
  id: string
  place: Place
  startedAt: number
  referrer: string
  beginning: 'load' | 'route'
  counts: Pick<EventOf<'view_state'>, 'actions' | 'resources' | 'errors' | 'longFrames' | 'frustrations'>
  vitals: Partial<Record<Vital, number>>
  context: EventContext | undefined
}

const counted: Partial<Record<EventKind, keyof OpenView['counts']>> = {
  action: 'actions',
  resource: 'resources',
  error: 'errors',
  long_frame: 'longFrames',
}

export function startTape(options: TapeOptions): Tape {
  const { random, person, shop, flags } = options
  const ids = { session: random.uuid(), tab: random.uuid() }
  const reads: FlagRead[] = []
  const reported: TapeEvent[] = []
  let clock = options.startedAt
  let view: OpenView | undefined

  const contextOf = (open: OpenView): EventContext => ({
    kind: 'context',
    index: 0,
    ...ids,
    view: open.id,
    anonymousId: person.anonymousId,
    ...(person.userKey && { userKey: person.userKey, sessionUserKey: person.userKey }),
    page: open.place.page,
    url: shop + open.place.path,
    ...(open.referrer && { referrer: open.referrer }),
    service: 'shop',
    version: options.version,
    ...(person.connection && { connection: person.connection }),
    ...(reads.length > 0 && { reads: [...reads] }),
  })
  const put = <Kind extends EventKind>(kind: Kind, fields: Fields<Kind>, at: number) => {
    if (view === undefined) throw new Error('No view is open.')
    view.context ??= contextOf(view)
    const id = random.uuid()
    const event = { kind, id, at: Math.round(at), context: 0, ...fields } as TelemetryEvent
    reported.push({ at: event.at, event, context: view.context })
    const count = counted[kind]
    if (count !== undefined) view.counts[count] += 1
    if (event.kind === 'action' && event.frustration) view.counts.frustrations += 1
    return id
  }
  const close = (exit: 'route' | 'unload') => {
    if (view === undefined) return
    const { startedAt, vitals, counts } = view
    const state = { rev: 1, startedAt, duration: clock - startedAt, active: false, exit, vitals, ...counts }
    put('view_state', state, clock)
  }

  return {
    options,
    timeline: reported,
    now: () => clock,
    wait(span) {
      clock += Math.round(span)
    },
    open(place) {
      const before = view
      close('route')
      view = {
        id: random.uuid(),
        place,
        startedAt: clock,
        context: undefined,
        vitals: {},
        referrer: before === undefined ? options.referrer : shop + before.place.path,
        beginning: before === undefined ? 'load' : 'route',
        counts: { actions: 0, resources: 0, errors: 0, longFrames: 0, frustrations: 0 },
      }
      put('view', { name: view.beginning }, clock)
    },
    isLoad: () => view?.beginning === 'load',
    report: (kind, fields, later = 0) => put(kind, fields, clock + later),
    vital(name, value, target = '') {
      const measured = name === 'CLS' ? Math.round(value * 1e4) / 1e4 : Math.round(value)
      if (view !== undefined) view.vitals[name] = measured
      put('vital', { name, value: measured, target }, clock + (name === 'CLS' ? 0 : measured))
    },
    read(flag) {
      const decided = flags.get(flag)
      if (decided === undefined) return undefined
      if (!reads.includes(decided.read)) {
        reads.push(decided.read)
        if (view !== undefined) view.context = undefined
        put('exposure', { flag }, clock)
      }
      return decided.value
    },
    end: () => close('unload'),
  }
}
