import type { FlagConfigDraft } from '@telltale/core/contract/flag-config'
import type { ExplainedFlag } from '@telltale/core/contract/flags'
import { problem } from '@telltale/core/errors'
import { unitOf } from '@telltale/core/evaluation/arm'
import { compileRuleSet } from '@telltale/core/evaluation/compile'
import { explain } from '@telltale/core/evaluation/evaluate'
import type { RuleSetDefinition } from '@telltale/core/evaluation/rule-set'
import type { Static } from 'typebox'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { configOfDraft } from './config-of-draft.ts'
import { loadForSubject } from './load-rule-set.ts'

interface Try {
  context: object
  /** All flags by default. */
  flags?: readonly string[]
  draft?: FlagConfigDraft
}

interface Within {
  projectId: string
  environmentId: string
}

/** Evaluates flags for a context, as saved or with a draft, with the trace of each. */
export async function evaluateFlags(
  db: Queryable,
  within: Within,
  { context, flags, draft }: Try,
): Promise<{ items: Static<typeof ExplainedFlag>[] }> {
  const saved = await loadForSubject(db, within.environmentId, unitOf(context, 'targetingKey'))
  const ruleSet = compileRuleSet(
    draft === undefined ? saved : await withDraft(db, saved, { ...within, flags, draft }),
  )
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

async function withDraft(
  db: Queryable,
  saved: RuleSetDefinition,
  { flags, draft, ...within }: Within & { flags: readonly string[] | undefined; draft: FlagConfigDraft },
): Promise<RuleSetDefinition> {
  const [flag, ...others] = flags ?? []
  if (flag === undefined || others.length > 0) {
    throw problem('invalid-request', {
      errors: [{ pointer: '/flags', message: 'must contain the flag of the draft only' }],
    })
  }
  const config = await configOfDraft(db, { ...within, flag, draft })
  return { ...saved, flags: saved.flags.map((one) => (one.key === flag ? { ...one, config } : one)) }
}
