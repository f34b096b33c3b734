import type { PrivacyRule } from '@telltale/core/contract/environments'
import type { Fault } from '@telltale/core/errors'
import { selectorFault } from '@telltale/core/telemetry/selector-fault'

/** The rules in stored form. Whether a browser knows a pseudo-class, only the browser can say. */
export function readPrivacyRules(given: readonly PrivacyRule[], faults: Fault[]): PrivacyRule[] {
  const rules = given.map(({ selector, action }) => ({ selector: selector.trim(), action }))
  rules.forEach(({ selector }, index) => {
    const isRepeated = rules.findIndex((rule) => rule.selector === selector) < index
    const message = isRepeated ? 'has a rule already' : selectorFault(selector)
    if (message !== undefined) faults.push({ pointer: `/privacyRules/${index}/selector`, message })
  })
  return rules
}
