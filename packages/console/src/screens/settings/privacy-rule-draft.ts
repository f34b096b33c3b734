// The privacy rules of an environment as the form edits them.

import { selectorFault } from '@telltale/core/telemetry/selector-fault'
import type { Environment } from '../../api/environments.ts'
import type { Fault } from '../../api/problem.ts'

export type PrivacyRule = Environment['privacyRules'][number]

/** Its id identifies the row while others are added and removed. */
export type RuleRow = PrivacyRule & { readonly id: number }

/** By position. */
export type RuleFaults = { readonly [index: number]: string }

export function rowsOf(rules: readonly PrivacyRule[]): RuleRow[] {
  return rules.map((rule, id) => ({ ...rule, id }))
}

export function rulesOf(rows: readonly RuleRow[]): PrivacyRule[] {
  return rows.map(({ selector, action }) => ({ selector: selector.trim(), action }))
}

export function newRow(rows: readonly RuleRow[]): RuleRow {
  return { id: Math.max(-1, ...rows.map(({ id }) => id)) + 1, selector: '', action: 'mask' }
}

export function isSameRules(one: readonly PrivacyRule[], other: readonly PrivacyRule[]): boolean {
  const textsOf = (rules: readonly PrivacyRule[]) => rules.map(({ selector, action }) => [action, selector])
  return JSON.stringify(textsOf(one)) === JSON.stringify(textsOf(other))
}

/** `isSelector`: whether the browser understands it. */
export function ruleFaults(
  rows: readonly RuleRow[],
  isSelector: (text: string) => boolean = isSelectorHere,
): RuleFaults {
  const rules = rulesOf(rows)
  const faults: { [index: number]: string } = {}
  rules.forEach(({ selector }, index) => {
    const fault = selectorFault(selector)
    if (selector === '') faults[index] = 'Enter a CSS selector.'
    else if (rules.findIndex((rule) => rule.selector === selector) < index)
      faults[index] = 'There is a rule for this selector already.'
    else if (fault !== undefined) faults[index] = `The selector ${fault}.`
    else if (!isSelector(selector)) faults[index] = 'This is not a valid CSS selector.'
  })
  return faults
}

/** The server's faults at rules. */
export function ruleFaultsOf(errors: readonly Fault[]): RuleFaults {
  const faults: { [index: number]: string } = {}
  for (const { pointer, message } of errors) {
    const [, index] = /^\/privacyRules\/(\d+)(\/|$)/.exec(pointer) ?? []
    if (index !== undefined) faults[Number(index)] = `The selector ${message}.`
  }
  return faults
}

/** Why an unmask rule does nothing. Undefined: it has an effect, or unmasks nothing. */
export function whyWithoutEffect(
  { action }: PrivacyRule,
  { unmaskAllowed, privacyLevel }: Pick<Environment, 'unmaskAllowed' | 'privacyLevel'>,
): string | undefined {
  if (action !== 'unmask') return undefined
  if (!unmaskAllowed) return 'No effect: unmasking is not allowed.'
  return privacyLevel === 'mask-all' ? undefined : 'No effect: this privacy level does not mask text.'
}

function isSelectorHere(text: string): boolean {
  try {
    document.createDocumentFragment().querySelector(text)
    return true
  } catch (error) {
    if (error instanceof DOMException) return false
    throw error
  }
}
