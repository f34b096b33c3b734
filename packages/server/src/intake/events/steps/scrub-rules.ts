// What an environment hides in its telemetry beside what is always hidden.

import type { ScrubRules } from '@telltale/core/contract/environments'
import { hideMatches } from '@telltale/core/evaluation/hide-matches'
import { scrubText } from '@telltale/core/telemetry/scrub'

export interface Scrub {
  /** What every text loses, and what this environment wants hidden. */
  text(text: string): string
  /** The second alone, for addresses: they have lost the first. */
  hide(text: string): string
  dropsAttribute(name: string): boolean
}

const hidden = '[hidden]'
const plain: Scrub = { text: scrubText, hide: (text) => text, dropsAttribute: () => false }
/** Rules are made anew with every change, and then no longer used. */
const known = new WeakMap<ScrubRules, Scrub>()

export function scrubOf(rules: ScrubRules | undefined): Scrub {
  if (rules === undefined) return plain
  const found = known.get(rules) ?? compile(rules)
  known.set(rules, found)
  return found
}

function compile({ parameters, attributes, expressions }: ScrubRules): Scrub {
  if (parameters.length + attributes.length + expressions.length === 0) return plain

  const hideParameters = compileParameters(parameters)
  const hideFound = hideMatches(expressions, hidden)
  const dropped = new Set(attributes)
  const hide = (text: string) => hideFound(hideParameters(text))
  return {
    text: (text) => hide(scrubText(text)),
    hide,
    dropsAttribute: (name) => dropped.has(name.toLowerCase()),
  }
}

const value = '[^&\\s"\'<>()#;,]+'

/** `token=4711` at the beginning of a word, in a query or not. */
function compileParameters(names: readonly string[]): (text: string) => string {
  if (names.length === 0) return (text) => text

  const either = names.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  const found = new RegExp(`(^|[?&;#\\s"'(,])(${either})=${value}`, 'gi')
  return (text) => (text.includes('=') ? text.replace(found, `$1$2=${hidden}`) : text)
}
