import { expect, test } from 'vitest'
import { keptTables } from './kept-tables.ts'

test('the events of the sample expire with all others', () => {
  const cuts = { events: 1_000, exposures: 2_000, replays: 3_000, profiles: 4_000 }
  const rulesOf = (name: string) =>
    keptTables
      .filter(({ table }) => table === name)
      .map(({ table: _table, past, ...rule }) => ({ ...rule, past: past?.(cuts) }))
  expect(rulesOf('events')).toHaveLength(2)
  expect(rulesOf('events_sampled')).toEqual(rulesOf('events'))
})
