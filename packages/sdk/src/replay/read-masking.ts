// What the environment wants masked in replays, beside the privacy level. Nothing is unmasked unless the environment
// permits it, and a rule that this browser does not understand masks the whole page.

import type { PrivacyLevel } from '../settings.ts'

export interface WantedMasking {
  level: PrivacyLevel
  permitsUnmask: boolean
  /** CSS selectors. */
  rules: { mask: string[]; unmask: string[]; block: string[] }
}

/** `given`: as the server sent it, or undefined: earlier versions send none. */
export function readMasking(given: unknown, level: PrivacyLevel): WantedMasking {
  const { permitsUnmask, rules } = Object(given)
  const { mask, unmask, block } = Object(rules)
  const [masked, blocked] = [textsOf(mask), textsOf(block)]
  const isClear = [...masked, ...blocked].every(isSelector)
  const isPermitted = permitsUnmask === true && isClear
  return {
    level: isClear ? level : 'mask-all',
    permitsUnmask: isPermitted,
    rules: {
      mask: masked.filter(isSelector),
      unmask: isPermitted ? textsOf(unmask).filter(isSelector) : [],
      block: blocked.filter(isSelector),
    },
  }
}

function textsOf(given: unknown): string[] {
  return Array.isArray(given) ? given.filter((each) => typeof each === 'string') : []
}

function isSelector(text: string): boolean {
  try {
    document.createDocumentFragment().querySelector(text)
    return true
  } catch {
    return false
  }
}
