import { expect, test } from 'vitest'
import type { Draft } from './draft.ts'
import { draft, rule } from './drafts.testing.ts'
import { moveRule } from './edit-rules.ts'
import { type Edit, edited, type History, startHistory } from './history.ts'

const run = (...edits: Edit[]): History => edits.reduce(edited, startHistory(draft()))
const off: Edit = { kind: 'edit', to: (now) => ({ ...now, enabled: false }) }
const describe = (description: string): Edit => ({
  kind: 'edit',
  to: (now: Draft) => ({ ...now, rules: now.rules.map((one) => ({ ...one, description })) }),
  about: 'description',
})

test('every edit can be undone and redone until the next edit', () => {
  const swap: Edit = { kind: 'edit', to: (now) => moveRule(now, { id: 'b', to: 0 }) }
  expect(run(off, swap).present.rules.map(({ id }) => id)).toEqual(['b', 'a'])
  expect(run(off, swap, { kind: 'undo' }).present).toEqual(draft({ enabled: false }))
  expect(run(off, swap, { kind: 'undo' }, { kind: 'undo' }, { kind: 'undo' }).present).toEqual(draft())
  expect(run(off, { kind: 'undo' }, { kind: 'redo' }).present.enabled).toBe(false)
  expect(run(off, { kind: 'undo' }, swap).future).toEqual([])
})

test('typing in one field is one step', () => {
  const typed = run(off, describe('S'), describe('St'), describe('Staff'))
  expect(typed.present.rules[0]?.description).toBe('Staff')
  expect(edited(typed, { kind: 'undo' }).present).toEqual(draft({ enabled: false }))
})

test('an edit without a change is not a step, and saving clears the history', () => {
  expect(run({ kind: 'edit', to: (now) => ({ ...now }) }).past).toEqual([])
  const saved = draft({ rules: [rule('c')] })
  expect(run(off, { kind: 'start', from: saved })).toEqual(startHistory(saved))
})
