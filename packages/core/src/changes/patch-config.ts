// A part of a configuration laid over a whole one, and which changes are the off switch and nothing else.

import type { ConfigPatch, FlagConfigDraft } from '../contract/flag-config.ts'
import { isSame } from './same.ts'

/** What the patch leaves out stays. */
export function patchConfig(config: FlagConfigDraft, patch: ConfigPatch): FlagConfigDraft {
  return {
    enabled: patch.enabled ?? config.enabled,
    offVariation: patch.offVariation ?? config.offVariation,
    prerequisites: patch.prerequisites ?? config.prerequisites,
    rules: patch.rules ?? config.rules,
    fallthrough: patch.fallthrough ?? config.fallthrough,
  }
}

/** Whether the change turns off what is on, and changes nothing else. */
export function isOffSwitch(before: FlagConfigDraft, after: FlagConfigDraft): boolean {
  return before.enabled && isSame({ ...before, enabled: false }, after)
}
