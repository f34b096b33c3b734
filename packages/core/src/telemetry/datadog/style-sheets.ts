// Style sheets of a recording in Datadog's form. Each has a number, but the client counts a sheet that several nodes share once
// and sends it with each of them: which sheet a number means is told by the order in which they are attached.

import { hash64 } from '../unit-hash.ts'

export interface Sheet {
  rules: readonly string[]
  /** Its rules came as one text. */
  isWhole: boolean
}

export interface Attached<Owner> {
  owner: Owner
  ids: readonly number[]
}

export interface TellSheet {
  readonly id: number
  readonly sheet: Sheet | undefined
  /** The player knows the number. */
  readonly isKnown: boolean
}

export interface StyleSheets {
  /** Takes what one record says of sheets, and gives what is attached to whom. */
  take<Owner>(
    added: readonly Sheet[],
    attached: readonly Attached<Owner>[],
  ): { owner: Owner; sheets: TellSheet[] }[]
  clear(): void
}

/** Not told yet: a sheet that nobody uses. */
const sheetsWaiting = 10_000

export function createStyleSheets(): StyleSheets {
  let count = 0
  let waiting = new Map<number, Sheet>()
  /** What the player was told each of them is. */
  let told = new Map<number, string>()
  const number = (added: readonly Sheet[], ids: readonly number[]) => {
    const isPaired = ids.length === added.length
    for (const [index, sheet] of added.entries()) {
      const id = isPaired ? ids[index] : count
      if (id !== undefined && waiting.size < sheetsWaiting) waiting.set(id, sheet)
      count++
    }
  }
  const tell = (id: number): TellSheet => {
    const sheet = waiting.get(id)
    waiting.delete(id)
    const before = told.get(id)
    const content = sheet && hash64(textOf(sheet))
    if (content !== undefined) told.set(id, content)
    return { id, sheet: content === before ? undefined : sheet, isKnown: before !== undefined }
  }
  return {
    take(added, attached) {
      number(
        added,
        attached.flatMap(({ ids }) => ids),
      )
      return attached.map(({ owner, ids }) => ({ owner, sheets: ids.map(tell) }))
    },
    clear() {
      count = 0
      waiting = new Map()
      told = new Map()
    },
  }
}

export const textOf = ({ rules }: Sheet): string => rules.join('')

/** What it applies to stands around its rules; one that is switched off has none. */
export function readSheet(
  rules: readonly string[],
  { media, isDisabled, isWhole }: { media: readonly string[]; isDisabled: boolean; isWhole: boolean },
): Sheet {
  if (isDisabled) return { rules: [], isWhole }
  if (media.length === 0) return { rules, isWhole }
  return { rules: [`@media ${media.join(', ')} { ${rules.join('')} }`], isWhole }
}
