// The flags of the page as the toolbar lists them.

import type { FlagAnswer, FlagAnswers } from '../flags/answer.ts'
import type { ForcedFlag } from './kept.ts'

export interface FlagRow {
  key: string
  /** As the application reads it. */
  value: unknown
  reason: string
  isForced: boolean
}

const reasons: Record<string, string> = {
  SPLIT: 'percentage rollout',
  TARGETING_MATCH: 'targeting rule',
  DEFAULT: 'default rule',
  STATIC: 'default rule',
  DISABLED: 'flag is off',
  HOLDOUT: 'held out',
}

export function listFlags(
  answers: FlagAnswers | undefined,
  forced: readonly ForcedFlag[] = [],
  search = '',
): FlagRow[] {
  const values = new Map(forced)
  const keys = [...new Set([...(answers?.keys() ?? []), ...values.keys()])].sort()
  const wanted = search.trim().toLowerCase()
  return keys
    .filter((key) => key.includes(wanted))
    .map((key) => {
      const answer = answers?.get(key)
      const details = values.get(key)
      const served = answer && describe(answer)
      if (!details) return { key, value: answer?.value, reason: served ?? '', isForced: false }
      const { metadata, value } = details
      const name = metadata?.forced === undefined ? '' : ` as ${metadata.forced}`
      return { key, value, reason: `forced${name}${served ? `, served: ${served}` : ''}`, isForced: true }
    })
}

/** The variation and why, as the server answered. */
function describe({ variant, reason = '', metadata = {}, errorCode }: FlagAnswer): string {
  if (errorCode) return `error: ${errorCode}`
  const { overridden, segment, prerequisite } = metadata
  const why = overridden ? 'override for this user' : (reasons[reason] ?? reason.toLowerCase())
  const where = [segment && `segment ${segment}`, prerequisite && `prerequisite ${prerequisite}`]
  return [variant, why, ...where].filter(Boolean).join(', ')
}
