import { expect, test } from 'vitest'
import type { Explored } from '../../api/explore.ts'
import { rowsOf } from './rows.ts'
import { seriesCsv, tableCsv } from './write-csv.ts'

const point = (at: string, value: number | null) => ({ at, partial: false, value, events: value ?? 0 })
const at = ['2026-11-21T00:00:00.000Z', '2026-11-21T01:00:00.000Z'] as const
const answer: Explored = {
  from: at[0],
  to: '2026-11-21T02:00:00.000Z',
  step: '1h',
  timeZone: 'UTC',
  sample: 1,
  total: { value: 20, events: 20 },
  groups: [
    { values: ['/a, "b"'], value: 15, events: 15, points: [point(at[0], 15), point(at[1], null)] },
    { values: ['=1+1'], value: 4, events: 4, points: [point(at[0], 0), point(at[1], 4)] },
    { values: null, value: 1, events: 1, points: [point(at[0], 1), point(at[1], 0)] },
  ],
}
const before: Explored = {
  ...answer,
  groups: [{ values: ['=1+1'], value: 8, events: 8, points: [] }],
}

test('a table includes the previous period, and no cell is a formula', () => {
  const rows = rowsOf(answer, before, true)
  expect(rows.map(({ share, before: earlier }) => [share, earlier])).toEqual([
    [0.75, null],
    [0.2, 8],
    [0.05, null],
  ])
  expect(tableCsv({ fields: ['Page'], measure: 'Views', rows, hasBefore: true })).toBe(
    'Page,Views,Events,Previous\r\n"/a, ""b""",15,15,\r\n\'=1+1,4,4,8\r\nOther,1,1,\r\n',
  )
})

test('a time series has a row per step, with empty cells for missing values', () => {
  expect(seriesCsv(answer, ['Page'])).toBe(
    `Time,"/a, ""b""",'=1+1,Other\r\n${at[0]},15,0,1\r\n${at[1]},,4,0\r\n`,
  )
})
