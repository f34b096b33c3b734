import type { ProviderEntry, SingleSignOnEntry } from '@telltale/core/contract/setup-file'
import type { ProviderDeclaration, SingleSignOnDeclaration } from './declarations.ts'
import type { Reading } from './reading.ts'

export function declareProviders(reading: Reading, entries: ProviderEntry[]): ProviderDeclaration[] {
  return entries.flatMap((entry) => {
    const pointer = reading.locationOf(entry)
    const { key, secret: given, manage = false, ...settings } = entry
    const isFirst = reading.isFirst(`sign-in provider ${key}`, `${pointer}/key`)
    const secret = reading.readSecret(given, `${pointer}/secret`)
    if (secret === undefined || !isFirst) return []
    return [{ pointer, key, manage, settings: { ...settings, secret } }]
  })
}

/** Undefined if the file does not say whether passwords work. */
export function declareSingleSignOn(
  reading: Reading,
  entry: SingleSignOnEntry | undefined,
): SingleSignOnDeclaration | undefined {
  if (entry?.only === undefined) return undefined
  const pointer = reading.locationOf(entry)
  const { only, breakGlassOwner, manage = false } = entry
  if (only && breakGlassOwner === undefined) {
    reading.fault(
      `${pointer}/breakGlassOwner`,
      'is required: the owner who can sign in when no provider works',
    )
    return undefined
  }
  return { pointer, only, breakGlassOwner, manage }
}
