// The public types of the client. Imports nothing from other packages, so that the types can be published unchanged.

import type { Reads } from './typed-reads.ts'

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue }

/** The evaluation context: strings, numbers, booleans, dates, and structures of them. */
export type FlagContext = (Readonly<Record<string, unknown>> | object) & {
  readonly targetingKey?: string | undefined
}

export interface FlagsOptions {
  /** The address of the Telltale server. */
  url: string
  /** A server key (`ser.…`) of the environment. */
  key: string
  /** The initial rule set, as returned by `/sdk/v1/ruleset`. */
  bootstrap?: object | undefined
  /** A file that caches the rule set, for a start while the server is unavailable. */
  copy?: string | undefined
  /** Called with background errors, once per kind of consecutive failure. Default: no handler. */
  onFault?: ((fault: Error) => void) | undefined
  /**
   * What is sent to the Telltale server; false: nothing. Default: exposures, how often each variation was served, and
   * what you report.
   */
  telemetry?: boolean | TelemetryOptions | undefined
}

export interface TelemetryOptions {
  /** The name of your application, shown with its errors and requests. */
  service?: string | undefined
  /** The version of your application. */
  version?: string | undefined
  /** Send each variation once per subject and day. Default: true. */
  exposures?: boolean | undefined
  /** Report what ends the process. It ends as it would without. Default: false. */
  uncaught?: boolean | undefined
  /** Events kept in memory while the Telltale server is unavailable. Default: 10 000. */
  queueSize?: number | undefined
}

export type Attributes = Readonly<Record<string, string | number | boolean | null>>

export interface EventOptions {
  /** The user of the event. Default: the context of `withContext`. */
  context?: FlagContext | undefined
  attributes?: Attributes | undefined
}

export interface TrackOptions extends EventOptions {
  /** Default: 1. */
  value?: number | undefined
}

export interface CaptureOptions extends EventOptions {
  /** False if it ended what was done. Default: true. */
  handled?: boolean | undefined
  /** Groups errors by this text instead of their stack. */
  fingerprint?: string | undefined
}

/** A request that your server answered. */
export interface AnsweredRequest extends EventOptions {
  method: string
  /** The path. Queries are not sent. */
  url: string
  /** As a template: `/orders/:id`. Without one, the Telltale server derives it from the path. */
  route?: string | undefined
  /** Of the response; 499 if the client closed the connection before. */
  status: number
  /** Milliseconds. */
  duration: number
}

export interface ScopeOptions {
  /** The trace of OpenTelemetry that the work is a part of: 32 hexadecimal digits. */
  traceId?: string | undefined
}

/** A context, or a function that is called when it is needed: a user may be known only after a sign-in. */
export type ContextSource = FlagContext | (() => FlagContext | undefined)

export interface TelemetryStatus {
  queued: number
  sent: number
  /** Events that were not sent, by reason. */
  dropped: {
    /** The queue was full. */
    full: number
    /** The server was unavailable for too long. */
    unavailable: number
    /** The server refused them. */
    refused: number
    /** The event could not be written as JSON, or is too large. */
    invalid: number
  }
}

/**
 * `starting`: the server has not responded yet. `ready`: values are current. `stale`: the last known or the initial
 * values are served. `refused`: the same, if there are any, because the key is not accepted.
 */
export type FlagsStatus = 'starting' | 'ready' | 'stale' | 'refused'

export type ErrorCode =
  | 'PROVIDER_NOT_READY'
  | 'FLAG_NOT_FOUND'
  | 'TYPE_MISMATCH'
  | 'TARGETING_KEY_MISSING'
  | 'INVALID_CONTEXT'
  | 'GENERAL'

export type FlagMetadata = Readonly<Record<string, string | number | boolean>>

export interface FlagDetails<Value> {
  key: string
  value: Value
  /** STATIC, DEFAULT, TARGETING_MATCH, SPLIT, DISABLED or ERROR. */
  reason: string
  variant: string | undefined
  metadata: FlagMetadata
  errorCode: ErrorCode | undefined
  errorDetails: string | undefined
}

/** A flag evaluated for one context, as OFREP returns it. */
export interface FlagAnswer {
  key: string
  value?: JsonValue
  reason?: string
  variant?: string
  metadata?: FlagMetadata
  errorCode?: ErrorCode
  errorDetails?: string
}

/** The first exposure of a subject to a variation. */
export interface Exposure {
  flag: string
  variation: string
  targetingKey: string | undefined
  /** The environment's key. */
  environment: string
  /** Where the variation was split; undefined when a rule chose it. */
  arm: ExposedArm | undefined
  /** Milliseconds since 1970. */
  at: number
}

export interface ExposedArm {
  split: string
  epoch: number
  /** The attribute that the split buckets on, and its value in the context. */
  attribute: string
  unit: string
}

/** The format that the browser client accepts as `bootstrap`. */
export interface Bootstrap {
  readonly flags: readonly FlagAnswer[]
  readonly metadata: FlagMetadata
}

export interface Flags extends Reads {
  /** Every flag for this context, ordered by key. Records no exposures. */
  allFlags(context?: FlagContext): FlagAnswer[]
  /**
   * The flags visible to browsers, for this context, as JSON that is safe inside a script element: the `bootstrap` of
   * the browser client.
   */
  bootstrapFor(context?: FlagContext): string
  /**
   * The same as an object, for frameworks that serialize values from the server into their pages. Excludes flags that
   * browsers must not see.
   */
  bootstrapValuesFor(context?: FlagContext): Bootstrap
  status(): FlagsStatus
  /** Resolves with the server's first response, or after the timeout (default: 5 000 ms). Never rejects. */
  whenReady(timeLimit?: number): Promise<FlagsStatus>
  /** Called with the keys of flags whose value may have changed. Returns a function to unsubscribe. */
  onChange(listener: (keys: readonly string[]) => void): () => void
  onStatus(listener: (status: FlagsStatus) => void): () => void
  /** Called with each variation once per subject and day. Returns a function to unsubscribe. */
  onExposure(listener: (exposure: Exposure) => void): () => void
  /**
   * Runs the function with a context. Inside it, also in what it awaits, evaluations without a context use this one,
   * and `track`, `captureError` and `captureRequest` know the user and the variations evaluated by then.
   */
  withContext<Result>(context: ContextSource, work: () => Result, options?: ScopeOptions): Result
  /** Sends a custom event, for metrics. Never throws. */
  track(name: string, options?: TrackOptions): void
  /** Sends an error, or anything else that was thrown, to Errors. Never throws. */
  captureError(error: unknown, options?: CaptureOptions): void
  /** Sends a request that your server answered. The integrations for frameworks call it. Never throws. */
  captureRequest(request: AnsweredRequest): void
  /** Resolves when everything so far was sent, or after the timeout (default: 5 000 ms). Never rejects. */
  flush(timeLimit?: number): Promise<void>
  telemetryStatus(): TelemetryStatus
  /** Sends what is left, for at most 5 seconds. */
  close(): Promise<void>
}
