import type { FlagConfigDraft } from '../contract/flag-config.ts'

/** What a new flag does in every environment: it is off, with a single variation as the default. */
export function firstConfigOf(variations: readonly string[]) {
  const preferred = (key: string) => (variations.includes(key) ? key : (variations[0] ?? key))
  const config = {
    enabled: false,
    offVariation: preferred('off'),
    prerequisites: [],
    rules: [],
    fallthrough: { variation: preferred('on') },
  }
  return config satisfies FlagConfigDraft
}

/** Default variations of a boolean flag. `off` is first, because the first variation is the control. */
export const booleanVariations = [
  { key: 'off', name: 'Off', value: false },
  { key: 'on', name: 'On', value: true },
]
