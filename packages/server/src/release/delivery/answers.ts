// OFREP responses as text. The text of each outcome of a flag is built once and then concatenated, followed by
// the subject only. Text instead of bytes: concatenating many small buffers costs five times as much.

import type { Evaluation } from '@telltale/core/contract/trace'
import type { Context } from '@telltale/core/evaluation/context'
import { evaluateFlag } from '@telltale/core/evaluation/evaluate'
import { variantEntry } from '@telltale/core/evaluation/flagsmith/variant-entry'
import { namedSegments } from '@telltale/core/evaluation/named-segments'
import type { KnownKey } from '../../organisation/keys/known-keys.ts'
import type { EvaluationCounter, EvaluationCounts } from '../evaluations/count-evaluations.ts'
import type { Answer, ServedFlag, ServedRuleSet } from './build-rule-set.ts'

export function answerFlag(served: ServedRuleSet, flag: ServedFlag, requested: EvaluationRequest): Answer {
  const evaluation = evaluateFlag(served.ruleSet, flag.compiled, requested.context)
  const known = flag.answers.get(evaluation)
  if (known !== undefined) {
    known.counter.count += 1
    requested.counters?.push(known.counter)
    return known
  }

  const { errorCode } = evaluation
  const text =
    errorCode === undefined
      ? JSON.stringify(success(served, flag, evaluation)).slice(0, -2)
      : JSON.stringify(failure(flag.key, errorCode, detailsOf(evaluation)))
  const counter = requested.counts.counterOf(requested.key.environment.id, flag.key, evaluation)
  counter.count += 1
  requested.counters?.push(counter)
  const answer = { errorCode, text, size: Buffer.byteLength(text), counter }
  flag.answers.set(evaluation, answer)
  return answer
}

interface EvaluationRequest {
  context: Context
  key: KnownKey
  counts: EvaluationCounts
  /** Gets the counter of each outcome, for an answer that is given again without an evaluation. */
  counters?: EvaluationCounter[] | undefined
}

/** A text and its length in UTF-8 bytes. */
export interface Sized {
  text: string
  size: number
}

export function sized(text: string): Sized {
  return { text, size: Buffer.byteLength(text) }
}

/** Closes a response with a value: its metadata ends with the subject, on which telemetry is joined. */
export function endOf({ targetingKey }: Context): Sized {
  const isNamed = typeof targetingKey === 'string' || typeof targetingKey === 'number'
  return sized(isNamed ? `,"contextId":${JSON.stringify(String(targetingKey))}}}` : '}}')
}

const opening = '{"flags":['

/** The responses of all flags visible to the key, in the order of their keys, and the end of the set. */
export function answerAll(served: ServedRuleSet, requested: EvaluationRequest, tail: Sized): Sized {
  const seesAll = requested.key.kind === 'server'
  const end = endOf(requested.context)
  let text = opening
  let size = opening.length + tail.size
  let separator = ''
  let evaluated = 0
  for (const flag of served.flags.values()) {
    if (!seesAll && !flag.clientVisible) continue
    const answer = answerFlag(served, flag, requested)
    evaluated += 1
    size += answer.size + separator.length
    text += separator + answer.text
    if (answer.errorCode === undefined) {
      size += end.size
      text += end.text
    }
    separator = ','
  }
  requested.counts.meterOf(requested.key).count += evaluated
  return { text: text + tail.text, size }
}

/** The flag, unless it is hidden from this key. */
export function findVisible({ flags }: ServedRuleSet, flag: string, key: KnownKey): ServedFlag | undefined {
  const found = flags.get(flag)
  return key.kind === 'server' || found?.clientVisible === true ? found : undefined
}

export function failure(key: string | undefined, errorCode: string, errorDetails: string): object {
  return { key, errorCode, errorDetails }
}

/** Browsers and servers get the same bytes, so a flag visible to browsers must not name one that is not. */
function mayName({ flags }: ServedRuleSet, flag: ServedFlag, prerequisite: string): boolean {
  return !flag.clientVisible || flags.get(prerequisite)?.clientVisible === true
}

function success(served: ServedRuleSet, flag: ServedFlag, evaluation: Evaluation): object {
  const { variation, ruleId, split, prerequisite, overridden } = evaluation
  const imported = variantEntry(flag.compiled.definition, evaluation)
  const variant = imported?.variant ?? variation
  const { valueType, flagsmith } = flag.compiled.definition
  return {
    key: flag.key,
    value: imported === undefined ? evaluation.value : imported.value,
    reason: imported?.isOff ? 'DISABLED' : evaluation.reason,
    variant,
    // Flat and without null: OFREP providers drop all other metadata.
    metadata: {
      flagSetId: served.environment,
      version: String(flag.version),
      valueType,
      // Id and name in Flagsmith.
      flagId: flagsmith?.id,
      flagName: flagsmith?.name,
      variation: variant === variation ? undefined : variation,
      ruleId,
      segment: namedSegments(flag.compiled.definition, ruleId),
      split: split?.id,
      epoch: split?.epoch,
      unit: split?.by,
      prerequisite:
        prerequisite !== undefined && mayName(served, flag, prerequisite) ? prerequisite : undefined,
      ...(overridden ? { overridden } : {}),
    },
  }
}

function detailsOf({ errorCode, split }: Evaluation): string {
  if (errorCode !== 'TARGETING_KEY_MISSING') return 'The flag could not be evaluated.'
  return split === undefined || split.by === 'targetingKey'
    ? 'The flag has a percentage split and the context has no targetingKey.'
    : `The flag splits by "${split.by}", which the context does not have.`
}
