import { expect, test } from 'vitest'
import type { TimelineEvent } from '../../../api/sessions.ts'
import type { Moment } from '../timeline/moments.ts'
import { sharedSteps, stepAt } from './shared-steps.ts'

const moment = (kind: Moment['kind'], title: string, at: number): Moment => ({
  kind,
  title,
  at,
  note: '',
  tone: 'plain',
  isTrouble: false,
  event: {} as TimelineEvent,
})

test('pairs shared pages and clicks with their times, and omits the rest', () => {
  const left = [moment('page', '/', 0), moment('error', 'TypeError', 10), moment('action', 'Pay', 9_000)]
  const right = [moment('page', '/', 5), moment('action', 'Search', 100), moment('action', 'Pay', 2_000)]
  const steps = sharedSteps(left, right)
  expect(steps).toEqual([
    { title: '/', kind: 'page', left: 0, right: 5 },
    { title: 'Pay', kind: 'action', left: 9_000, right: 2_000 },
  ])
  expect([stepAt(steps, 'left', 8_999), stepAt(steps, 'left', 9_000), stepAt(steps, 'right', 0)]).toEqual([
    0, 1, -1,
  ])
})
