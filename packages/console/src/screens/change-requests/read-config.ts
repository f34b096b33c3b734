import type { FlagConfigDraft } from '@telltale/core/contract/flag-config'

const members = {
  enabled: (value: unknown) => typeof value === 'boolean',
  offVariation: (value: unknown) => typeof value === 'string',
  prerequisites: Array.isArray,
  rules: Array.isArray,
  fallthrough: (value: unknown) => typeof value === 'object' && value !== null,
}

/** Text as a configuration, or what is wrong with it. What stands inside its parts is checked by the server. */
export function readConfig(text: string): { config: FlagConfigDraft } | { fault: string } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { fault: `Invalid JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
  if (typeof value !== 'object' || value === null) return { fault: 'Must be an object.' }
  const named = new Map<string, unknown>(Object.entries(value))
  const wrong = Object.entries(members).flatMap(([name, fits]) => (fits(named.get(name)) ? [] : [name]))
  if (wrong.length > 0) return { fault: `Missing or of the wrong type: ${wrong.join(', ')}.` }
  return isConfig(value) ? { config: value } : { fault: 'Must be an object.' }
}

function isConfig(value: object): value is FlagConfigDraft {
  return Object.keys(members).every((name) => name in value)
}
