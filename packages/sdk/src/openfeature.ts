// The provider for OpenFeature's web SDK, backed by the client of `flags.ts`. Exposures are recorded as usual.

import {
  ErrorCode,
  type EvaluationContext,
  GeneralError,
  type JsonValue,
  OpenFeatureEventEmitter,
  type Provider,
  ProviderEvents,
  type ResolutionDetails,
  type TrackingEventDetails,
} from '@openfeature/web-sdk'
import type { FlagDetails, FlagStatus } from './flags/values.ts'
import type { Flags } from './flags.ts'

/** The part of the monitoring client that tracks. */
export interface Tracker {
  track(
    name: string,
    options: { value?: number; attributes?: Record<string, string | number | boolean | null> },
  ): void
}

/**
 * `OpenFeature.setProvider(createProvider(startFlags({ url, key })))`. With the client of `telltale.init` as second
 * argument, `client.track` of OpenFeature sends its custom events.
 */
export function createProvider(flags: Flags, tracker?: Tracker): Provider {
  const events = new OpenFeatureEventEmitter()
  const resolve = <Value>(key: string, fallback: Value) => toResolution(flags.getDetails(key, fallback))
  const stop = followStatus(flags, events)

  return {
    metadata: { name: 'telltale' },
    runsOn: 'client',
    events,
    async initialize(context = {}) {
      const isNamed = Object.keys(context).length > 0
      refuseError(await (isNamed ? flags.setContext(toContext(context)) : flags.whenReady()))
    },
    async onContextChange(_before, context) {
      await flags.setContext(toContext(context))
    },
    async onClose() {
      stop()
      flags.close()
    },
    resolveBooleanEvaluation: resolve<boolean>,
    resolveStringEvaluation: resolve<string>,
    resolveNumberEvaluation: resolve<number>,
    resolveObjectEvaluation: <Value extends JsonValue>(key: string, fallback: Value) =>
      resolve(key, fallback),
    track: (name, _context, details) => tracker?.track(name, toEvent(details)),
  }
}

/** Structures are no attributes of an event, and are left out. */
function toEvent({ value, ...rest }: TrackingEventDetails = {}) {
  const attributes: Record<string, string | number | boolean | null> = {}
  for (const [name, given] of Object.entries(rest)) {
    if (
      given === null ||
      typeof given === 'string' ||
      typeof given === 'number' ||
      typeof given === 'boolean'
    )
      attributes[name] = given
  }
  return { attributes, ...(typeof value === 'number' && { value }) }
}

function followStatus(flags: Flags, events: OpenFeatureEventEmitter): () => void {
  let before: FlagStatus = flags.status()
  return flags.onChange((flagsChanged, status) => {
    const isBack = status === 'ready' && (before === 'stale' || before === 'error')
    if (isBack) events.emit(ProviderEvents.Ready)
    if (status !== before && status === 'stale') events.emit(ProviderEvents.Stale)
    if (status !== before && status === 'error') events.emit(ProviderEvents.Error, { message: refusal })
    before = status
    if (flagsChanged.length > 0) {
      events.emit(ProviderEvents.ConfigurationChanged, { flagsChanged: [...flagsChanged] })
    }
  })
}

const refusal = 'The Telltale server does not answer, or refuses the key.'

function refuseError(status: FlagStatus): void {
  if (status === 'error') throw new GeneralError(refusal)
}

function toContext({ targetingKey, ...rest }: EvaluationContext) {
  return { ...rest, targetingKey }
}

const codes = new Map<string, ErrorCode>(Object.values(ErrorCode).map((code) => [code, code]))

function toResolution<Value>(details: FlagDetails<Value>): ResolutionDetails<Value> {
  const { value, reason, variant, metadata, errorCode } = details
  return {
    value,
    ...(reason && { reason }),
    ...(variant && { variant }),
    ...(metadata && { flagMetadata: metadata }),
    ...(errorCode && { errorCode: codes.get(errorCode) ?? ErrorCode.GENERAL }),
  }
}
