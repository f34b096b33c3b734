import type { ExplainedFlag } from '@telltale/core/contract/flags'
import { unitOf } from '@telltale/core/evaluation/arm'
import { compileRuleSet } from '@telltale/core/evaluation/compile'
import { explain } from '@telltale/core/evaluation/evaluate'
import type { Static } from 'typebox'
import type { Queryable } from '../engines/postgres/open.ts'
import { loadForSubject } from './load-rule-set.ts'

interface Try {
  context: object
  /** All of them when none is named. */
  flags?: readonly string[]
}

/** What flags serve for a context, as they are saved now, and every step that led there. */
export async function evaluateFlags(
  db: Queryable,
  environmentId: string,
  { context, flags }: Try,
): Promise<{ items: Static<typeof ExplainedFlag>[] }> {
  const ruleSet = compileRuleSet(await loadForSubject(db, environmentId, unitOf(context, 'targetingKey')))
  const keys = flags ?? [...ruleSet.flags.keys()]

  return {
    items: keys.map((key) => {
      const trace = explain(ruleSet, key, context)
      const { value, variation, reason, ruleId, prerequisite, overridden, errorCode } = trace.result
      return {
        flag: key,
        ...(value === undefined ? {} : { value }),
        variation: variation ?? null,
        reason,
        ruleId: ruleId ?? null,
        prerequisite: prerequisite ?? null,
        overridden,
        errorCode: errorCode ?? null,
        trace,
      }
    }),
  }
}
