// Applies a patch to a configuration, and detects changes that only turn a flag off.

import type { ConfigPatch, FlagConfigDraft } from '../contract/flag-config.ts'
import { isSame } from './same.ts'

/** Parts that the patch omits are kept. */
export function patchConfig(config: FlagConfigDraft, patch: ConfigPatch): FlagConfigDraft {
  return {
    enabled: patch.enabled ?? config.enabled,
    offVariation: patch.offVariation ?? config.offVariation,
    prerequisites: patch.prerequisites ?? config.prerequisites,
    rules: patch.rules ?? config.rules,
    fallthrough: patch.fallthrough ?? config.fallthrough,
  }
}

/** Whether the change turns the flag off and changes nothing else. */
export function isOffSwitch(before: FlagConfigDraft, after: FlagConfigDraft): boolean {
  return before.enabled && isSame({ ...before, enabled: false }, after)
}
