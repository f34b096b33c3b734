// What applications see of the client. Nothing here comes from another package, so that its types can be shipped as they
// are.

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue }

/** Whom a flag is evaluated for: strings, numbers, booleans, dates, and structures of them. */
export type FlagContext = (Readonly<Record<string, unknown>> | object) & {
  readonly targetingKey?: string | undefined
}

/**
 * The type of a flag whose default is of the type `Value`: a union such as `'light' | 'dark'` stays one, and the default `'light'`
 * stands for any text.
 */
export type Widened<Value, Any> = IsUnion<Value> extends true ? Value : Any

type IsUnion<Value, Member = Value> = Value extends unknown
  ? [Member] extends [Value]
    ? false
    : true
  : never

export interface FlagsOptions {
  /** The address of the Telltale server. */
  url: string
  /** A server key (`ser.…`) of the environment. */
  key: string
  /** A rule set to start with, as `/sdk/v1/ruleset` gives it. */
  bootstrap?: object | undefined
  /** A file that the rule set is kept in, for a start while the server is away. */
  copy?: string | undefined
  /** Told of what goes wrong in the background, once for every kind of fault in a row. Default: nobody. */
  onFault?: ((fault: Error) => void) | undefined
}

/**
 * `starting`: the server has not answered yet. `ready`: what is served is what the server says. `stale`: what was known
 * last is served, or what was given to start with. `refused`: the same, if there is any, because the key is not accepted.
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

/** A flag for one context, as OFREP answers it. */
export interface FlagAnswer {
  key: string
  value?: JsonValue
  reason?: string
  variant?: string
  metadata?: FlagMetadata
  errorCode?: ErrorCode
  errorDetails?: string
}

/** The first read of a variation by a subject. */
export interface Exposure {
  flag: string
  variation: string
  targetingKey: string | undefined
  /** The environment's key. */
  environment: string
  /** Where the variation was drawn; nothing when it was chosen by rule. */
  arm: ExposedArm | undefined
  /** Milliseconds since 1970. */
  at: number
}

export interface ExposedArm {
  split: string
  epoch: number
  /** The attribute that the split buckets on, and what the context has there. */
  attribute: string
  unit: string
}

/** What the browser client takes as `bootstrap`. */
export interface Bootstrap {
  readonly flags: readonly FlagAnswer[]
  readonly metadata: FlagMetadata
}

export interface Flags {
  getBoolean(key: string, fallback: boolean, context?: FlagContext): boolean
  getString<Value extends string>(key: string, fallback: Value, context?: FlagContext): Widened<Value, string>
  getNumber<Value extends number>(key: string, fallback: Value, context?: FlagContext): Widened<Value, number>
  /** Interfaces are welcome: the type is not checked against what the server serves. */
  getJson<Value>(key: string, fallback: Value, context?: FlagContext): Value
  /** The value with variant, reason and metadata; the type is that of the fallback. */
  getDetails<Value>(key: string, fallback: Value, context?: FlagContext): FlagDetails<Value>
  /** Every flag for this context, in the order of their keys. Counts as read by nobody. */
  allFlags(context?: FlagContext): FlagAnswer[]
  /**
   * The flags that browsers may see, for this context, as JSON that is safe inside of a script element: what the browser
   * client takes as `bootstrap`.
   */
  bootstrapFor(context?: FlagContext): string
  /**
   * The same as an object, for frameworks that hand values from the server to their pages themselves. Flags that browsers may not
   * see are not in it.
   */
  bootstrapValuesFor(context?: FlagContext): Bootstrap
  status(): FlagsStatus
  /** Resolved with the server's first answer, or when there is none within the time (default: 5 000 ms). Never rejected. */
  whenReady(timeLimit?: number): Promise<FlagsStatus>
  /** Told the keys of flags that may serve something else now. Returns how to stop. */
  onChange(listener: (keys: readonly string[]) => void): () => void
  onStatus(listener: (status: FlagsStatus) => void): () => void
  /** Told of each variation once per subject and day. Returns how to stop. */
  onExposure(listener: (exposure: Exposure) => void): () => void
  close(): Promise<void>
}
