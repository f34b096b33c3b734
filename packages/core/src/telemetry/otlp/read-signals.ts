// What spans and log records say about errors and flags, in the words of the semantic conventions: the event
// `exception`, the attributes `exception.*`, and evaluations of feature flags in their current and their older form.

import { type OtlpAttributes, type OtlpValue, textOfAttribute, valueOfAttribute } from './otlp.ts'

export interface OtlpException {
  type: string
  message: string
  stack: string
  /** It left the operation of its span. */
  hasEscaped: boolean
}

/** Undefined when the attributes are not about an exception. */
export function readException(attributes: OtlpAttributes): OtlpException | undefined {
  const type = textOfAttribute(attributes, 'exception.type')
  const message = textOfAttribute(attributes, 'exception.message')
  if (type === '' && message === '') return undefined
  return {
    type: type === '' ? 'Error' : type,
    message: message === '' ? type : message,
    stack: textOfAttribute(attributes, 'exception.stacktrace'),
    hasEscaped: textOfAttribute(attributes, 'exception.escaped') === 'true',
  }
}

export interface FlagEvaluation {
  flag: string
  /** The variation's key; empty when only the value is known. */
  variant: string
  value: OtlpValue | undefined
  provider: string
  /** The targeting key; empty when the client did not say. */
  contextId: string
  reason: string
}

/** Of the events of spans, and of log records by their event name. */
export const isFlagEvaluation = (name: string) =>
  name === 'feature_flag.evaluation' || name === 'feature_flag'

/** Undefined without a flag, or when nothing is known of what it served. */
export function readFlagEvaluation(attributes: OtlpAttributes): FlagEvaluation | undefined {
  const text = (...names: string[]) => textOfAttribute(attributes, ...names)
  const flag = text('feature_flag.key')
  const variant = text('feature_flag.result.variant', 'feature_flag.variant')
  const value =
    valueOfAttribute(attributes, 'feature_flag.result.value') ??
    valueOfAttribute(attributes, 'feature_flag.evaluation.value')
  if (flag === '' || (variant === '' && value === undefined)) return undefined
  // A failed evaluation served the default of the application, not a variation.
  if (text('error.type') !== '' && variant === '') return undefined
  return {
    flag,
    variant,
    value,
    provider: text('feature_flag.provider.name', 'feature_flag.provider_name'),
    contextId: text('feature_flag.context.id'),
    reason: text('feature_flag.result.reason', 'feature_flag.evaluation.reason'),
  }
}
