// The rule set of an environment as stored on disk.

import { RuleSetFile } from '@telltale/core/contract/rule-set-file'
import { Compile } from 'typebox/compile'
import type { RuleSetSource } from './rule-set-edit.ts'

const fileSchema = Compile(RuleSetFile)

/** The content of a stored file; undefined if it is not a valid rule set. */
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
