import { expect, test } from 'vitest'
import type { JsonObject } from '../json.ts'
import { addToHistory, emptyHistory, foldView, shortenView } from './fold-view.ts'

const whole = (version: number, view: object, more: object = {}): JsonObject => ({
  type: 'view',
  view: { url: 'https://shop.example/', ...view },
  ...more,
  _dd: { document_version: version },
})
const change = (version: number, view: object, more: object = {}): JsonObject => ({
  ...whole(version, view, more),
  type: 'view_update',
})

function fold(told: readonly JsonObject[]) {
  let history = emptyHistory
  for (const raw of told) history = addToHistory(history, raw) ?? history
  return foldView(history)
}

const told = [
  whole(1, { error: { count: 0 }, action: { count: 5 }, custom_timings: { a: 1, b: 2 } }, { usr: { id: 1 } }),
  change(2, { error: { count: 1 } }, { feature_flags: { a: 1 } }),
  change(4, { custom_timings: { c: 3 }, action: { count: 6 } }, { feature_flags: { b: 2 }, usr: { id: 2 } }),
  change(5, { inp: 8, error: { count: 3 } }),
  change(7, { inp: null }),
]

function* orders<Item>(items: readonly Item[]): Generator<Item[]> {
  if (items.length === 0) yield []
  for (const [index, item] of items.entries()) {
    for (const rest of orders(items.toSpliced(index, 1))) yield [item, ...rest]
  }
}

test('the view is the same for any order of changes', () => {
  const found = new Set([...orders(told)].map((order) => JSON.stringify(sorted(fold(order)))))
  expect([...found].map((text) => JSON.parse(text))).toEqual([
    {
      version: 7,
      raw: {
        type: 'view',
        _dd: { document_version: 7 },
        usr: { id: 2 },
        feature_flags: { a: 1, b: 2 },
        view: {
          url: 'https://shop.example/',
          error: { count: 3 },
          action: { count: 6 },
          custom_timings: { c: 3 },
        },
      },
    },
  ])
})

test('changes alone are no view; older ones than a full view are ignored, and so are repetitions', () => {
  expect(fold(told.slice(1))).toBeUndefined()
  const later = whole(6, { error: { count: 9 } })
  expect(fold([later, ...told])).toMatchObject({ version: 7, raw: { view: { error: { count: 9 } } } })
  const history = addToHistory(emptyHistory, later) ?? emptyHistory
  expect(addToHistory(history, later)).toBeUndefined()
  expect(addToHistory(history, change(5, {}))).toBeUndefined()
})

test('keeps only the used fields of a view, including the first hiding of its page', () => {
  const page_states = [
    { state: 'active', start: -5 },
    { state: 'hidden', start: 7e9 },
    { state: 'hidden', start: 9e9 },
  ]
  const raw = whole(1, {}, { display: { viewport: {} }, device: {} })
  expect(shortenView({ ...raw, _dd: { document_version: 1, page_states } })).toEqual({
    ...whole(1, {}),
    _dd: { document_version: 1, first_hidden: 7e9 },
  })
  const later = { ...change(2, {}), _dd: { document_version: 2, page_states: page_states.slice(2) } }
  const both = [{ ...raw, _dd: { document_version: 1, page_states } }, later].map(shortenView)
  expect(fold(both)?.raw).toMatchObject({ _dd: { document_version: 2, first_hidden: 7e9 } })
})

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [name, sorted(member)] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  )
}
