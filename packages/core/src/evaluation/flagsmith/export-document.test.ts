import { expect, test } from 'vitest'
import type { HoldoutShare, LayerShare } from '../../contract/flag-config.ts'
import type { FlagDefinition } from '../rule-set.ts'
import { exportDocument } from './export-document.ts'

const holdout: HoldoutShare = { key: 'quarter', salt: 'holdout', share: 5_000 }
const layer: LayerShare = {
  ...{ key: 'checkout', by: 'targetingKey', salt: 'layer', ranges: [[0, 50_000]], otherwise: 'a' },
}

const flagOf = (key: string, more: { holdouts?: HoldoutShare[]; layer?: LayerShare }): FlagDefinition => ({
  ...{ key, valueType: 'string', clientVisible: true },
  ...(more.holdouts && { holdouts: more.holdouts }),
  variations: [
    { key: 'a', value: 'a' },
    { key: 'b', value: 'b' },
  ],
  config: {
    ...{ enabled: true, offVariation: 'a', prerequisites: [], rules: [], salt: `salt of ${key}` },
    fallthrough: {
      split: {
        ...{ id: key, epoch: 1, by: 'targetingKey', ...(more.layer && { layer: more.layer }) },
        bucketing: { kind: 'flagsmith', environmentKey: 'environment', stateKey: '1' },
        arms: [
          { variation: 'a', weight: 50_000, ranges: [] },
          { variation: 'b', weight: 50_000, ranges: [], optionId: 1 },
        ],
      },
    },
  },
})

test('a split in a layer is left out, and flags with holdouts are named', () => {
  const flags = [
    flagOf('plain', {}),
    flagOf('layered', { layer }),
    flagOf('covered', { holdouts: [holdout] }),
    flagOf('both', { layer, holdouts: [holdout] }),
  ]
  const { states, leftOut, withoutHoldout } = exportDocument({ flags, segments: [] })
  expect(states.map(({ feature }) => feature.name)).toEqual(['plain', 'covered'])
  expect(leftOut).toEqual(['layered', 'both'])
  expect(withoutHoldout).toEqual(['covered'])
})
