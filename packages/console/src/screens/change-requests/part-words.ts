import type { DescribedChangeRequest } from '../../api/change-requests.ts'
import { type Ground, ruleNameAt } from './choose-overlaps.ts'

const partWords: Readonly<Record<string, string>> = {
  '/enabled': 'On or off',
  '/offVariation': 'Variation when off',
  '/prerequisites': 'Prerequisites',
  '/fallthrough': 'Everyone else',
  '/rules': 'The rules and their order',
}

/** A part of a configuration as people call it. */
export function partName(ground: Ground, pointer: string): string {
  const rule = ruleNameAt(ground, pointer)
  return rule === undefined ? (partWords[pointer] ?? pointer) : `Rule “${rule}”`
}

export function groundOf({ base, proposed, current }: DescribedChangeRequest): Ground {
  return { base, mine: proposed, theirs: current.config }
}
