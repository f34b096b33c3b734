import type { FlagDefinition } from './rule-set.ts'

/** The segments that a rule references, as one text; undefined for a rule without any. */
export function namedSegments({ config }: FlagDefinition, ruleId: string | undefined): string | undefined {
  const rule = config.rules.find(({ id }) => id === ruleId)
  const named = rule?.when.of.flatMap((part) =>
    'segment' in part && part.operator === 'in-segment' ? [part.segment] : [],
  )
  return named === undefined || named.length === 0 ? undefined : named.join(',')
}
