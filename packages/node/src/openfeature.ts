// The provider for OpenFeature's server SDK.

import {
  ErrorCode,
  type EvaluationContext,
  type JsonValue,
  OpenFeatureEventEmitter,
  type Provider,
  ProviderEvents,
  ProviderFatalError,
  ProviderNotReadyError,
  type ResolutionDetails,
  type TrackingEventDetails,
} from '@openfeature/server-sdk'
import type { Attributes, FlagDetails, Flags, FlagsOptions, FlagsStatus } from './client.ts'
import { startFlags } from './flags.ts'

export class TelltaleProvider implements Provider {
  readonly metadata = { name: 'telltale' }
  readonly runsOn = 'server'
  readonly events = new OpenFeatureEventEmitter()
  readonly #options: FlagsOptions | undefined
  #flags: Flags | undefined
  #stops: (() => void)[] = []

  /** When flags were already started, uses their client and does not close it. */
  constructor(given: FlagsOptions | Flags) {
    if ('getDetails' in given) this.#flags = given
    else this.#options = given
  }

  async initialize(): Promise<void> {
    this.#flags ??= this.#options && startFlags(this.#options)
    const flags = this.#flags
    if (flags === undefined) return
    const status = await flags.whenReady()
    this.#stops = [
      flags.onChange((keys) => {
        this.events.emit(ProviderEvents.ConfigurationChanged, { flagsChanged: [...keys] })
      }),
      flags.onStatus((next) => this.#tell(next)),
    ]
    if (status === 'refused') throw new ProviderFatalError('The Telltale server refused the key.')
    if (status !== 'ready') throw new ProviderNotReadyError('The Telltale server has not answered yet.')
  }

  async onClose(): Promise<void> {
    for (const stop of this.#stops.splice(0)) stop()
    if (this.#options === undefined) return
    await this.#flags?.close()
    this.#flags = undefined
  }

  resolveBooleanEvaluation(key: string, fallback: boolean, context: EvaluationContext) {
    return this.#resolve(key, fallback, context)
  }

  resolveStringEvaluation(key: string, fallback: string, context: EvaluationContext) {
    return this.#resolve(key, fallback, context)
  }

  resolveNumberEvaluation(key: string, fallback: number, context: EvaluationContext) {
    return this.#resolve(key, fallback, context)
  }

  resolveObjectEvaluation<Value extends JsonValue>(key: string, fallback: Value, context: EvaluationContext) {
    return this.#resolve(key, fallback, context)
  }

  /** A custom event of Telltale, for the user of the context. */
  track(name: string, context: EvaluationContext, { value, ...rest }: TrackingEventDetails = {}): void {
    this.#flags?.track(name, {
      attributes: attributesOf(rest),
      ...(typeof value === 'number' && { value }),
      // Without a user, that of `withContext` stays.
      ...(context.targetingKey !== undefined && { context }),
    })
  }

  async #resolve<Value extends JsonValue>(
    key: string,
    fallback: Value,
    context: EvaluationContext,
  ): Promise<ResolutionDetails<Value>> {
    if (this.#flags === undefined) {
      return { value: fallback, reason: 'ERROR', errorCode: ErrorCode.PROVIDER_NOT_READY }
    }
    return toResolution(this.#flags.getDetails(key, fallback, context))
  }

  #tell(status: FlagsStatus): void {
    if (status === 'ready') this.events.emit(ProviderEvents.Ready)
    if (status === 'stale') this.events.emit(ProviderEvents.Stale)
    if (status === 'refused') {
      this.events.emit(ProviderEvents.Error, { message: 'The Telltale server refuses the key.' })
    }
  }
}

/** Structures are no attributes of an event, and are left out. */
function attributesOf(details: Readonly<Record<string, unknown>>): Attributes {
  const attributes: Record<string, string | number | boolean | null> = {}
  for (const [name, given] of Object.entries(details)) {
    if (
      given === null ||
      typeof given === 'string' ||
      typeof given === 'number' ||
      typeof given === 'boolean'
    )
      attributes[name] = given
  }
  return attributes
}

function toResolution<Value>(details: FlagDetails<Value>): ResolutionDetails<Value> {
  const { value, reason, variant, metadata, errorCode, errorDetails } = details
  return {
    value,
    reason,
    flagMetadata: { ...metadata },
    ...(variant === undefined ? {} : { variant }),
    ...(errorCode === undefined ? {} : { errorCode: ErrorCode[errorCode] }),
    ...(errorDetails === undefined ? {} : { errorMessage: errorDetails }),
  }
}
