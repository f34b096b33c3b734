// Texts and values without secrets, and bounded.

import { isSecretName, scrubSecrets } from '@telltale/core/telemetry/secrets'

/** Names whose values the environment masks, lower case. */
export type Named = ReadonlySet<string>

const hidden = '[secret]'
/** Scrubbed beyond the part that is kept, so that what is cut off is not needed to recognise a secret. */
const beyond = 8_192
const deepest = 40

export function cleanPart(text: string, longest: number, named: Named): string {
  return scrubSecrets(withoutHalf(text, longest + beyond), named).slice(0, longest)
}

/** Cut before a word, which could be half a secret. */
function withoutHalf(text: string, longest: number): string {
  if (text.length <= longest) return text
  let end = longest
  while (end > 0 && !/\s/.test(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** A number may be a card number. */
export function cleanNumber(value: number, named: Named): number | string {
  const text = String(value)
  const clean = text.length > 12 ? scrubSecrets(text, named) : text
  return clean === text ? value : clean
}

/** A copy of parsed JSON without secrets. */
export function cleanJson(value: unknown, named: Named, depth = 0): unknown {
  if (typeof value === 'string') return scrubSecrets(value, named)
  if (typeof value === 'number') return cleanNumber(value, named)
  if (typeof value !== 'object' || value === null) return value
  if (depth > deepest) return '…'
  if (Array.isArray(value)) return value.map((item) => cleanJson(item, named, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      scrubSecrets(name, named),
      isSecretName(name, named) ? hideValue(member) : cleanJson(member, named, depth + 1),
    ]),
  )
}

/** An absent value is shown as it is. */
export function hideValue(value: unknown): unknown {
  return value === null || value === undefined ? value : hidden
}
