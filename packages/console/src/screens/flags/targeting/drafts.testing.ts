// Drafts for tests: rules identified by a letter.

import type { Draft, RuleDraft, ServeDraft } from './draft.ts'

export const rule = (id: string, value = 'pro', serve: ServeDraft = { variation: 'on' }): RuleDraft => ({
  id,
  description: id.toUpperCase(),
  when: { match: 'all', of: [{ attribute: 'plan', operator: 'equals', value }] },
  serve,
})

export const split = (off: number, on: number, by = 'targetingKey'): ServeDraft => ({
  split: [
    { variation: 'off', weight: off },
    { variation: 'on', weight: on },
  ],
  by,
})

export const draft = (change: Partial<Draft> = {}): Draft => ({
  enabled: true,
  offVariation: 'off',
  prerequisites: [],
  rules: [rule('a'), rule('b')],
  fallthrough: { variation: 'off' },
  ...change,
})
