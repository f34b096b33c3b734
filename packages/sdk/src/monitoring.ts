// What an application can say to the monitoring of its pages, and what it can decide.

import type { Attributes } from './clean.ts'
import type { PrivacyLevel } from './settings.ts'

/**
 * `granted`: collect and send. `pending`: collect in memory, store and send nothing until it is known. `refused`: nothing,
 * and forget what there is.
 */
export type Consent = 'granted' | 'pending' | 'refused'

/** As it is sent; which members it has depends on its kind. */
export interface OutgoingEvent {
  readonly kind: string
  readonly id: string
  /** Milliseconds since 1970. */
  at: number
  [member: string]: unknown
}

/** What holds for the event: session, view, person, address, version, and the flags that were read. */
export interface OutgoingContext {
  readonly session: string
  url?: string
  page?: string
  userKey?: string
  [member: string]: unknown
}

/** Both may be changed. `false`: the event is not sent. */
export type BeforeSend = (event: OutgoingEvent, context: OutgoingContext) => unknown

export interface ReportOptions {
  attributes?: Attributes | undefined
  /** Where in the tree of components it happened. */
  componentStack?: string | undefined
  /** Whether the application went on. Default: true. */
  handled?: boolean | undefined
}

/** What the library looks at by itself. All but `consoleErrors` unless it says otherwise. */
export type Collected = 'vitals' | 'resources' | 'errors' | 'consoleErrors' | 'actions' | 'longFrames'

export interface MonitoringOptions {
  /** The name of this application, where several report into one environment. */
  service?: string | undefined
  /** The version of this application. */
  version?: string | undefined
  /** Default: `granted`. */
  consent?: Consent | undefined
  /** Percent of sessions; the environment may want fewer. Default: 100. */
  sampling?: number | undefined
  /** Percent of sessions that are recorded; the environment may want fewer. Default: 100. */
  replaySampling?: number | undefined
  /**
   * Keeps the last minute of a session that is not in the sample in memory, and sends it with what follows when one of these
   * happens: an error, clicks of rage, an interaction of half a second, or a flag that is read (`checkout=new`). It loads the
   * recorder in every session, unless the environment records none.
   */
  replayOn?: readonly ('error' | 'rage' | 'slow' | `${string}=${string}`)[] | undefined
  /**
   * Other sites, such as `https://cdn.example`, whose style sheets replays may fetch: they have to answer with
   * `Access-Control-Allow-Origin`. Those that are linked with `crossorigin` need not be named.
   */
  replayOrigins?: readonly string[] | undefined
  /** Percent of sessions that are profiled; the environment may want fewer. Default: 100. */
  profileSampling?: number | undefined
  /** Default: what the environment says; the stricter of both holds. */
  privacyLevel?: PrivacyLevel | undefined
  collect?: Partial<Record<Collected, boolean>> | undefined
  /** The template of a route, such as `/cart/:id`. Default: made from the address. */
  page?: ((url: URL) => string | undefined) | undefined
  /** Goes with every event. */
  attributes?: Attributes | undefined
  /** May change the event and its context. `false`: the event is not sent; what it throws has the same effect. */
  beforeSend?: BeforeSend | undefined
}

export interface Tracked {
  value?: number
  /** Milliseconds. */
  duration?: number
  attributes?: Attributes
}

export interface Monitoring {
  /** An event of the application's own. */
  track(name: string, tracked?: Tracked): void
  /** Something that the person did and the library cannot see. */
  addAction(name: string, attributes?: Attributes): void
  /** How long something took; without a duration, since the view began. */
  addTiming(name: string, duration?: number): void
  reportError(error: unknown, options?: ReportOptions): void
  /** For applications whose routes are not in the address. */
  startView(page: string): void
  /** Replaces what goes with every event. */
  setAttributes(attributes: Attributes): void
  setConsent(consent: Consent): void
  /** While there is one. */
  sessionId(): string | undefined
}
