import type { EventKind } from '@telltale/core/contract/events'
import { limits } from '@telltale/core/limits'
import { parseFilter } from '@telltale/core/query/filter'
import { eventColumns } from '@telltale/core/telemetry/event-row'
import { v7 as newId } from 'uuid'
import { expect, test } from 'vitest'
import { createLiveTail } from './live-tail.ts'
import { createMatch } from './match-event.ts'
import { eventsPerTurn } from './waiting.ts'

const environment = 'e'

function matchOf(text: string) {
  const parsed = parseFilter(text)
  if (!parsed.ok) throw new Error(text)
  return createMatch(parsed.result)
}

interface Draft {
  kind?: EventKind
  name?: string
  message?: string
  attrs?: Record<string, string>
  flags?: string[]
}

function rowOf({ kind = 'view', name = '', message = '', attrs = {}, flags = [] }: Draft = {}): string {
  const values: Partial<Record<(typeof eventColumns)[number], unknown>> = {
    event_id: newId(),
    kind,
    name,
    ts: 1,
    received_at: 1,
    attrs,
    flags,
    arms: [],
    err_message: message,
  }
  return JSON.stringify(eventColumns.map((column) => values[column] ?? ''))
}

test('without watchers, rows are not parsed', () => {
  const tail = createLiveTail(() => 0)
  tail.take(environment, ['this is no JSON'])
  const watcher = tail.watch(environment, matchOf(''))
  expect(() => tail.take(environment, ['this is no JSON'])).toThrow()
  watcher.stop()
  tail.take(environment, ['this is no JSON'])
})

test('a burst keeps the newest, counts all, and parses few', () => {
  const tail = createLiveTail(() => 0)
  const watcher = tail.watch(environment, matchOf(''))
  const rows = Array.from({ length: limits.liveExamined }, (_, index) => rowOf({ name: String(index) }))
  // A row past the limit is not parsed.
  tail.take(environment, [...rows, ...Array.from({ length: 18_000 }, () => 'no JSON')])
  const { events, arrived } = watcher.take()
  expect(arrived).toBe(20_000)
  expect(events.map(({ name }) => Number(name))).toEqual(
    Array.from({ length: eventsPerTurn }, (_, index) => limits.liveExamined - eventsPerTurn + index),
  )
  expect(watcher.take()).toEqual({ events: [], arrived: 0 })
})

test('parsing continues in the next second', () => {
  let now = 0
  const tail = createLiveTail(() => now)
  const watcher = tail.watch(environment, matchOf(''))
  tail.take(
    environment,
    Array.from({ length: limits.liveExamined + 1 }, () => rowOf()),
  )
  watcher.take()
  now = 1_000
  tail.take(environment, [rowOf({ name: 'later' })])
  expect(watcher.take()).toMatchObject({ arrived: 1, events: [{ name: 'later' }] })
})

test('rows excluded by text do not count as parsed', () => {
  const tail = createLiveTail(() => 0)
  const watcher = tail.watch(environment, matchOf('name:wanted'))
  const others = Array.from({ length: 2 * limits.liveExamined }, () => rowOf({ name: 'other' }))
  tail.take(environment, [...others, rowOf({ name: 'wanted' })])
  expect(watcher.take()).toMatchObject({ arrived: 1, events: [{ name: 'wanted' }] })
})

test('a large event is truncated and marked', () => {
  const tail = createLiveTail(() => 0)
  const watcher = tail.watch(environment, matchOf(''))
  const attrs = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`a${index}`, 'x'.repeat(1_000)]))
  tail.take(environment, [rowOf({ attrs }), rowOf({ attrs: { small: 'x' } })])
  const [large, small] = watcher.take().events
  expect(large?.cut).toBe(true)
  expect(JSON.stringify(large).length).toBeLessThan(limits.liveEventSize)
  expect(small).toMatchObject({ cut: false, attributes: { small: 'x' } })
})

test('two watchers get their own events', () => {
  const tail = createLiveTail(() => 0)
  const errors = tail.watch(environment, matchOf('kind:error'))
  const flagged = tail.watch(environment, matchOf('flag:checkout=new'))
  tail.take(environment, [
    rowOf({ kind: 'error', message: 'Broken' }),
    rowOf({ flags: ['checkout=new'] }),
    rowOf({ flags: ['checkout=old'] }),
  ])
  expect(errors.take().events).toMatchObject([{ errorMessage: 'Broken' }])
  expect(flagged.take().events).toMatchObject([{ flags: ['checkout=new'] }])
})
