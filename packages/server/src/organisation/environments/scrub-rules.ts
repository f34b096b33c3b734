import type { ScrubRules } from '@telltale/core/contract/environments'
import type { Fault } from '@telltale/core/errors'
import { hideMatches } from '@telltale/core/evaluation/hide-matches'
import { Unusable } from '@telltale/core/evaluation/unusable'

/** The rules in stored form. Names are in lower case, because URLs are not written consistently. */
export function readScrubRules(
  { parameters, attributes, expressions }: ScrubRules,
  faults: Fault[],
): ScrubRules {
  const found = expressions.flatMap((expression, index) =>
    faultOf([expression], `/scrub/expressions/${index}`),
  )
  faults.push(...(found.length > 0 ? found : faultOf(expressions, '/scrub/expressions')))
  return { parameters: inSmallLetters(parameters), attributes: inSmallLetters(attributes), expressions }
}

function faultOf(expressions: readonly string[], pointer: string): Fault[] {
  try {
    hideMatches(expressions, '')
    return []
  } catch (error) {
    if (error instanceof Unusable) return [{ pointer, message: error.message }]
    throw error
  }
}

const inSmallLetters = (names: readonly string[]) => [...new Set(names.map((name) => name.toLowerCase()))]
