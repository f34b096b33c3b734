import { expect, test } from 'vitest'
import { renderTable } from './table.ts'
import { terminalOf } from './terminal.ts'

const rows = [
  ['headline', 'on', 'The words at the top of every page'],
  ['é', 'off', ''],
]
const columns = ['key', 'state', 'name']

test('columns are aligned, and a pipe gets every character', () => {
  expect(renderTable(columns, rows, { width: undefined, hasColors: false })).toBe(
    ['KEY       STATE  NAME', 'headline  on     The words at the top of every page', 'é         off'].join(
      '\n',
    ),
  )
})

test('in a terminal the widest column is cut until a line fits', () => {
  const [head, first] = renderTable(columns, rows, { width: 30, hasColors: true }).split('\n')
  expect(head).toContain('\u001b[1m')
  expect(first).toBe('headline  on     The words at…')
})

test('NO_COLOR, a dumb terminal and a pipe have no colours', () => {
  const terminal = { isTTY: true, columns: 100 }
  expect(terminalOf(terminal, {})).toEqual({ width: 100, hasColors: true })
  expect(terminalOf(terminal, { NO_COLOR: '1' }).hasColors).toBe(false)
  expect(terminalOf(terminal, { TERM: 'dumb' }).hasColors).toBe(false)
  expect(terminalOf({}, {})).toEqual({ width: undefined, hasColors: false })
})
