import { expect, test } from 'vitest'
import { declaredFunction } from './declared-function.ts'

test.each([
  ['export function hot(rounds: number) {', '(', 'hot'],
  ['export function hot(rounds: number) {', 'hot', 'hot'],
  ['export async function hot<T>(rounds: T) {', '(', 'hot'],
  ['function* steps() {', '(', 'steps'],
  ['const total = (lines: Line[]) => {', '(', 'total'],
  ['const total = (lines) => lines.length', 'lines)', 'total'],
  ['const total = async (lines) => lines.length', '(', 'total'],
  ['const total: Sum = (lines) => {', '(', 'total'],
  ['  onClick: function (event) {', '(', 'onClick'],
  ['  total() {', '(', 'total'],
  ['  total() {', 'total', 'total'],
  ['  async #charge(amount) {', '(', 'charge'],
  ['  get size() {', '(', 'size'],
  ['  useEffect(() => {', '() =>', ''],
  ['lines.map((line) => line.price)', '(line', ''],
  ['lines.map((line) => line.price)', 'line)', ''],
  ['    for (const line of lines) {', '(const', ''],
])('%s, at %s: "%s"', (line, place, name) => {
  expect(declaredFunction(line, line.indexOf(place))).toBe(name)
})

test('a position beyond the end of its line has no name', () => {
  expect(declaredFunction('', 40)).toBe('')
})
