// Style sheets of a Datadog recording, referenced by number. The client counts a sheet shared by several nodes once but
// sends it with each of them, so the order in which sheets are attached determines which one a number means.

import { hash64 } from '../unit-hash.ts'

export interface Sheet {
  rules: readonly string[]
  /** The rules were sent as one text. */
  isWhole: boolean
}

export interface Attached<Owner> {
  owner: Owner
  ids: readonly number[]
}

export interface UsedSheet {
  readonly id: number
  readonly sheet: Sheet | undefined
  /** Whether the player already has a sheet with this number. */
  readonly isKnown: boolean
}

interface StyleSheets {
  /** Processes the sheets of one record and returns them by the node they are attached to. */
  take<Owner>(
    added: readonly Sheet[],
    attached: readonly Attached<Owner>[],
  ): { owner: Owner; sheets: UsedSheet[] }[]
  clear(): void
}

/** Bounds the sheets that are not attached to any node yet. */
const sheetsWaiting = 10_000

export function createStyleSheets(): StyleSheets {
  let count = 0
  let waiting = new Map<number, Sheet>()
  /** Hashes of the sheets that the player has, by number. */
  let known = new Map<number, string>()
  const number = (added: readonly Sheet[], ids: readonly number[]) => {
    const isPaired = ids.length === added.length
    for (const [index, sheet] of added.entries()) {
      const id = isPaired ? ids[index] : count
      if (id !== undefined && waiting.size < sheetsWaiting) waiting.set(id, sheet)
      count++
    }
  }
  const takeSheet = (id: number): UsedSheet => {
    const sheet = waiting.get(id)
    waiting.delete(id)
    const before = known.get(id)
    const content = sheet && hash64(textOf(sheet))
    if (content !== undefined) known.set(id, content)
    return { id, sheet: content === before ? undefined : sheet, isKnown: before !== undefined }
  }
  return {
    take(added, attached) {
      number(
        added,
        attached.flatMap(({ ids }) => ids),
      )
      return attached.map(({ owner, ids }) => ({ owner, sheets: ids.map(takeSheet) }))
    },
    clear() {
      count = 0
      waiting = new Map()
      known = new Map()
    },
  }
}

export const textOf = ({ rules }: Sheet): string => rules.join('')

/** Wraps the rules in their media query; a disabled sheet has no rules. */
export function readSheet(
  rules: readonly string[],
  { media, isDisabled, isWhole }: { media: readonly string[]; isDisabled: boolean; isWhole: boolean },
): Sheet {
  if (isDisabled) return { rules: [], isWhole }
  if (media.length === 0) return { rules, isWhole }
  return { rules: [`@media ${media.join(', ')} { ${rules.join('')} }`], isWhole }
}
