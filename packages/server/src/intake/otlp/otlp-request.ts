// A request of OpenTelemetry on its way to the store, and what is collected from it.

import type { Readable } from 'node:stream'
import type { DropReason } from '@telltale/core/contract/events'
import type { OtlpAttributes, OtlpItem } from '@telltale/core/telemetry/otlp/otlp'
import type { FlagEvaluation, OtlpException } from '@telltale/core/telemetry/otlp/read-signals'
import type { AttributeStore } from '@telltale/core/telemetry/otlp/stored-attributes'
import type { KnownEnvironment } from '../../organisation/keys/known-keys.ts'
import type { MemoryClaim } from '../../platform/memory/memory-budget.ts'
import type { GivenBrowser } from '../events/browsers.ts'
import type { IntakeServices } from '../events/intake-services.ts'
import type { BoundName } from '../events/steps/bound-names.ts'
import type { UserCheck } from '../events/steps/check-users.ts'
import type { Encoding } from './encoding.ts'

export const otlpSource = 'otlp'

export interface OtlpRequest {
  environment: KnownEnvironment
  encoding: Encoding
  browser: GivenBrowser
  country: string
  /** Undefined when it is empty, which is a request without spans. */
  body: { stream: Readable; encoding: string | undefined } | undefined
  claim: MemoryClaim
  /** Its bytes count against the quota as those of another request. */
  isPartOfOther?: boolean
}

export type OtlpParts = Pick<
  IntakeServices,
  'intake' | 'live' | 'erasedPeople' | 'db' | 'announcements' | 'clock' | 'log'
>

/** What an error or an evaluation belongs to. */
export interface SignalOrigin {
  traceId: string
  spanId: string
  /** Milliseconds since 1970. */
  at: number
  service: string
  version: string
  userKey: string
  session: string
}

export interface FoundException extends SignalOrigin {
  exception: OtlpException
  handled: boolean
}

export interface FoundEvaluation extends SignalOrigin {
  evaluation: FlagEvaluation
}

/** The service that a resource describes, prepared once. */
export interface KnownService {
  service: string
  version: string
  /** The shared columns of its rows. */
  shared: string
}

export interface Collected {
  rows: string[]
  sizeBytes: number
  exceptions: FoundException[]
  evaluations: FoundEvaluation[]
  dropped: Map<DropReason, number>
  /** By service. */
  accepted: Map<string, number>
  /** Attributes that were shortened or left out. */
  cut: number
  /** Items of services past the limit of different services. */
  unnamed: number
  /**
   * The latest time of an item, in milliseconds since 1970. Undefined when none has a time: then requests of the same
   * bytes may be two.
   */
  newest: number | undefined
}

export interface Rendering {
  environment: KnownEnvironment
  receivedAt: number
  store: AttributeStore
  boundName: BoundName
  serviceOf(attributes: OtlpAttributes): KnownService
  isErased(userKey: string): boolean
  userCheck: UserCheck | undefined
  collected: Collected
}

/** Adds the row of an item, or returns why it is dropped. */
export type RenderItem<Item> = (found: OtlpItem<Item>, rendering: Rendering) => DropReason | undefined
