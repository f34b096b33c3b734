// A flag's value for the application: of the expected type, or the fallback with the reason.

import type { Evaluation } from '@telltale/core/contract/trace'
import { evaluateFor, explainError, metadataOf } from './answer.ts'
import type { ErrorCode, FlagContext, FlagDetails } from './client.ts'
import { type HeldRuleSet, nothingHeld } from './held-rule-set.ts'

export interface Read<Value> {
  details: FlagDetails<Value>
  /** Undefined when the application got its fallback. */
  evaluation: Evaluation | undefined
}

export function readFlag<Value>(
  held: HeldRuleSet,
  key: string,
  { fallback, context }: { fallback: Value; context: FlagContext },
): Read<Value> {
  if (held === nothingHeld) {
    return failed(key, fallback, {
      errorCode: 'PROVIDER_NOT_READY',
      errorDetails: 'There is no rule set yet.',
    })
  }
  const evaluation = evaluateFor(held, key, context)
  const { value, reason, variation, errorCode } = evaluation
  const metadata = metadataOf(held, key, { evaluation, context })
  if (errorCode !== undefined) {
    return failed(key, fallback, { errorCode, errorDetails: explainError(evaluation, errorCode), metadata })
  }
  const variant = variation
  const details = { key, reason, variant, metadata, errorCode: undefined, errorDetails: undefined }
  if (value === undefined) return { details: { ...details, value: fallback }, evaluation }
  if (!isLike(value, fallback)) {
    const errorDetails = `The flag serves ${nameOf(value)}, not ${nameOf(fallback)}.`
    return failed(key, fallback, { errorCode: 'TYPE_MISMATCH', errorDetails, metadata })
  }
  return { details: { ...details, value }, evaluation }
}

function failed<Value>(
  key: string,
  value: Value,
  {
    metadata = {},
    ...error
  }: Pick<FlagDetails<Value>, 'errorDetails'> & {
    errorCode: ErrorCode
    metadata?: FlagDetails<Value>['metadata']
  },
): Read<Value> {
  return {
    details: { key, value, reason: 'ERROR', variant: undefined, metadata, ...error },
    evaluation: undefined,
  }
}

/** Whether both have one type as OpenFeature distinguishes them: lists, structures and null count as one. */
function isLike<Value>(value: unknown, fallback: Value): value is Value {
  return typeof value === typeof fallback
}

function nameOf(value: unknown): string {
  return typeof value === 'object' ? 'a structure' : `a ${typeof value}`
}
