// Limits of imports from other products, part of `limits`.
import type { Limit } from './limit.ts'

export const importLimits = {
  importSize: {
    value: 20 * 1_024 * 1_024,
    unit: 'bytes',
    reason:
      'A document of another product, such as a Flagsmith environment with all overrides; only accepted with the permission to import.',
  },
  importedTextLength: {
    value: 100_000,
    unit: 'characters',
    reason: 'One value of a flag at another product, before it is checked against the limits of a flag here.',
  },
  importedListItems: {
    value: 50_000,
    unit: 'items',
    reason:
      'User keys in one target or segment of another product: longer lists are kept outside of documents.',
  },
  importedFlagParts: {
    value: 1_000,
    unit: 'items',
    reason: 'Rules, clauses or variations of one flag at another product: more do not fit into a flag here.',
  },
  importedEnvironments: {
    value: 200,
    unit: 'items',
    reason: 'Environments of one flag in an export of another product.',
  },
  importNotesListed: {
    value: 2_000,
    unit: 'items',
    reason: 'Differences listed in the report of an import; the rest is counted.',
  },
} as const satisfies Record<string, Limit>
