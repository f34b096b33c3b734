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
} from '@openfeature/web-sdk'
import type { FlagDetails, FlagStatus } from './flags/values.ts'
import type { Flags } from './flags.ts'

/** `OpenFeature.setProvider(createProvider(startFlags({ url, key })))` */
export function createProvider(flags: Flags): Provider {
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
  }
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
