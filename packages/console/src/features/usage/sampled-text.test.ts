import { expect, test } from 'vitest'
import { sampledText } from './sampled-text.ts'

test('a sample names its smallest share and every reason once', () => {
  expect(sampledText([{ share: 0.1, reason: 'spike' }])).toMatch(/^10% of sessions, because of a spike\./)
  expect(
    sampledText([
      { share: 0.5, reason: 'quota' },
      { share: 0.05, reason: 'quota' },
      { share: 0.1, reason: 'spike' },
    ]),
  ).toMatch(/^Down to 5% of sessions, because a quota is used up and of a spike\./)
})
