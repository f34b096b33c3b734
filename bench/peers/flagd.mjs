import { FlagdCore } from '@openfeature/flagd-core'

export const flagd = {
  name: 'flagd core',
  prepare: (flags, contexts) => {
    const core = new FlagdCore()
    core.setConfigurations(
      JSON.stringify({ flags: Object.fromEntries(flags.map((flag) => [flag.key, toFlagd(flag)])) }),
    )
    const first = flags[0].key
    return {
      valueOf: (flag, context) =>
        core.resolveAll(contexts[context]).find((each) => each.flagKey === flag)?.value,
      run: (all) => {
        let results = 0
        for (const context of contexts) {
          if (all) results += core.resolveAll(context).length
          else if (core.resolveBooleanEvaluation(first, false, context).reason !== 'ERROR') results++
        }
        return results
      },
    }
  },
}

function toFlagd({ variations, rules, fallthrough }) {
  const flag = {
    state: 'ENABLED',
    variants: Object.fromEntries(variations.map(({ key, value }) => [key, value])),
    defaultVariant: typeof fallthrough === 'string' ? fallthrough : variations[0].key,
  }
  if (rules.length === 0 && typeof fallthrough === 'string') return flag
  const branches = rules.flatMap(({ conditions, serve }) => [all(conditions.map(toLogic)), toServe(serve)])
  return {
    ...flag,
    targeting: rules.length === 0 ? toServe(fallthrough) : { if: [...branches, toServe(fallthrough)] },
  }
}

const all = (conditions) => (conditions.length === 1 ? conditions[0] : { and: conditions })

function toLogic({ attribute, operator, value, values }) {
  const read = { var: attribute }
  if (operator === 'in') return values.length === 1 ? { '==': [read, values[0]] } : { in: [read, values] }
  return operator === 'greater' ? { '>': [read, value] } : { ends_with: [read, value] }
}

function toServe(serve) {
  if (typeof serve === 'string') return serve
  return { fractional: Object.entries(serve).map(([variation, weight]) => [variation, weight / 1000]) }
}
