// Evaluates a flag for a context. Never throws, whatever the context contains: every outcome is a value.
//
// On? → prerequisites → override of the targeting key → holdouts → rules in order → fallthrough: see compile-flag.ts.

import type { Evaluation, EvaluationError, FlagStep, Trace } from '../contract/trace.ts'
import { isContext } from './context.ts'
import type { CompiledFlag, RuleSet } from './rule-set.ts'
import { failure } from './serve.ts'

const flagNotFound = failed('FLAG_NOT_FOUND')
const invalidContext = failed('INVALID_CONTEXT')
const general = failed('GENERAL')

function failed(errorCode: EvaluationError): Evaluation {
  return Object.freeze({ ...failure, errorCode })
}

/** `key`: the flag's key. */
export function evaluate(ruleSet: RuleSet, key: string, context: unknown): Evaluation {
  const flag = ruleSet.flags.get(key)
  return flag === undefined ? flagNotFound : evaluateFlag(ruleSet, flag, context)
}

export function evaluateFlag(ruleSet: RuleSet, flag: CompiledFlag, context: unknown): Evaluation {
  try {
    return isContext(context) ? flag.decide(context, ruleSet, undefined) : invalidContext
  } catch {
    return general
  }
}

/** The same evaluation with a trace of its steps. */
export function explain(ruleSet: RuleSet, key: string, context: unknown): Trace {
  const steps: FlagStep[] = []
  return { flag: key, result: traced(ruleSet, { key, context, steps }), steps }
}

function traced(
  ruleSet: RuleSet,
  { key, context, steps }: { key: string; context: unknown; steps: FlagStep[] },
): Evaluation {
  try {
    const flag = ruleSet.flags.get(key)
    if (flag === undefined) return flagNotFound
    return isContext(context) ? flag.decide(context, ruleSet, steps) : invalidContext
  } catch {
    steps.push({ kind: 'failed', message: 'Reading the context failed.' })
    return general
  }
}
