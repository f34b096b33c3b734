// The rule set of an environment as it was kept on disk.

import { RuleSetFile } from '@telltale/core/contract/rule-set-file'
import { Compile } from 'typebox/compile'
import type { RuleSetSource } from './rule-set-edit.ts'

const fileSchema = Compile(RuleSetFile)

/** What a stored file holds, or undefined when it is no rule set. */
export function readRuleSetFile(content: unknown): RuleSetSource | undefined {
  if (!fileSchema.Check(content)) return undefined
  const { environment, flags, segments } = content
  return {
    environment,
    flags: flags.map(({ overrides: _overrides, ...flag }) => flag),
    segments,
    overrides: new Map(flags.map(({ key, overrides }) => [key, new Map(Object.entries(overrides))])),
  }
}
