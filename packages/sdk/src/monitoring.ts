// The public API for monitoring: its methods and options.

import type { Attributes } from './clean.ts'
import type { PrivacyLevel } from './settings.ts'

/**
 * `granted`: collect and send. `pending`: collect in memory; store and send nothing until decided. `refused`: collect
 * nothing, and delete stored data.
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

/** The context of the event: session, view, user, URL, version, and the flags that were read. */
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

/** Automatic collectors. Default: all but `consoleErrors`. */
export type Collected = 'vitals' | 'resources' | 'errors' | 'consoleErrors' | 'actions' | 'longFrames'

export interface MonitoringOptions {
  /** The name of this application, where several report into one environment. */
  service?: string | undefined
  /** The version of this application. */
  version?: string | undefined
  /** Default: `granted`. */
  consent?: Consent | undefined
  /** Percent of sessions; the environment may lower it. Default: 100. */
  sampling?: number | undefined
  /** Percent of sessions that are recorded; the environment may lower it. Default: 100. */
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
  /**
   * Sites, such as `https://images.example` or `location.origin`, whose images replays show where text is not masked.
   * Other sites than that of the page have to answer with `Access-Control-Allow-Origin`, and images be `crossorigin`.
   */
  replayPictures?: readonly string[] | undefined
  /**
   * Other sites, such as `https://pay.example`, whose pages in frames may add themselves to replays of this one. Their
   * clients name this site in `replayParents`.
   */
  replayFrames?: readonly string[] | undefined
  /**
   * Sites that show this page in a frame. Its replay is part of theirs then: it is sent to them, masked, and has no
   * recording of its own. They name this site in `replayFrames`.
   */
  replayParents?: readonly string[] | undefined
  /** Percent of sessions that are profiled; the environment may lower it. Default: 100. */
  profileSampling?: number | undefined
  /**
   * Adds `traceparent` to requests, so that their traces lead through your servers: `true` for the origin of the page, a list
   * for others besides, such as `https://api.example`. Those must allow the header by CORS. Default: false.
   */
  tracing?: boolean | readonly string[] | undefined
  /** Default: the environment's setting; the stricter of both applies. */
  privacyLevel?: PrivacyLevel | undefined
  collect?: Partial<Record<Collected, boolean>> | undefined
  /** The template of a route, such as `/cart/:id`. Default: made from the address. */
  page?: ((url: URL) => string | undefined) | undefined
  /** Attached to every event. */
  attributes?: Attributes | undefined
  /** May modify the event and its context. `false`: the event is not sent; throwing has the same effect. */
  beforeSend?: BeforeSend | undefined
}

export interface Tracked {
  value?: number
  /** Milliseconds. */
  duration?: number
  attributes?: Attributes
}

export interface Monitoring {
  /** A custom event. */
  track(name: string, tracked?: Tracked): void
  /** A user action that the library cannot detect. */
  addAction(name: string, attributes?: Attributes): void
  /** A timing; without a duration, since the view started. */
  addTiming(name: string, duration?: number): void
  reportError(error: unknown, options?: ReportOptions): void
  /** For applications whose routes are not in the URL. */
  startView(page: string): void
  /** Replaces the context attached to every event. */
  setAttributes(attributes: Attributes): void
  setConsent(consent: Consent): void
  /** While there is one. */
  sessionId(): string | undefined
}
