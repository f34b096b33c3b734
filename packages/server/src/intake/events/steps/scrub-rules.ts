// What an environment hides in its telemetry in addition to the built-in rules.

import type { ScrubRules } from '@telltale/core/contract/environments'
import { hideMatches } from '@telltale/core/evaluation/hide-matches'
import { scrubText } from '@telltale/core/telemetry/scrub'

export interface Scrub {
  /** The built-in rules and those of this environment. */
  text(text: string): string
  /** Only those of the environment, for addresses: the built-in rules have already been applied. */
  hide(text: string): string
  dropsAttribute(name: string): boolean
}

const hidden = '[hidden]'
const plain: Scrub = { text: scrubText, hide: (text) => text, dropsAttribute: () => false }
/** Rules are rebuilt with every change, and the old ones are then unused. */
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

/** `token=4711` at the beginning of a word, inside or outside a query. */
function compileParameters(names: readonly string[]): (text: string) => string {
  if (names.length === 0) return (text) => text

  const either = names.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  const found = new RegExp(`(^|[?&;#\\s"'(,])(${either})=${value}`, 'gi')
  return (text) => (text.includes('=') ? text.replace(found, `$1$2=${hidden}`) : text)
}
