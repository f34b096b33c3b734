// One event of the tail, from a row on its way to the spool or from the store: limited in size, however large the event
// is.

import type { LiveEvent } from '@telltale/core/contract/live'
import { limits } from '@telltale/core/limits'
import { eventColumns } from '@telltale/core/telemetry/event-row'
import { isHiddenSplit } from '@telltale/core/telemetry/hidden-split'
import { noId } from '@telltale/core/telemetry/row-text'

type Column = (typeof eventColumns)[number]

const places = new Map<Column, number>(eventColumns.map((name, index) => [name, index]))

/** From a row as the intake writes it: values in the order of its columns. */
export function toLiveEvent(row: readonly unknown[]): LiveEvent {
  const value = (column: Column) => row[places.get(column) ?? -1]
  const text = (column: Column) => String(value(column) ?? '')
  const number = (column: Column) => Number(value(column) ?? 0)
  const id = (column: Column) => (text(column) === noId ? null : text(column))
  return {
    id: text('event_id'),
    kind: text('kind'),
    at: instantOf(number('ts')),
    receivedAt: instantOf(number('received_at')),
    session: id('session_id'),
    view: id('view_id'),
    traceId: text('trace_id'),
    userKey: text('user_key'),
    anonymousId: text('anonymous_id'),
    source: text('source'),
    origin: text('origin') === 'server' ? 'server' : 'browser',
    service: text('service'),
    version: text('version'),
    page: text('page'),
    url: text('url'),
    referrer: text('referrer'),
    country: text('country'),
    connection: text('connection'),
    browser: text('browser'),
    browserVersion: text('browser_version'),
    os: text('os'),
    device: text('device'),
    bot: number('bot') === 1,
    hasReplay: number('has_replay') === 1,
    name: text('name'),
    value: number('value'),
    duration: number('duration'),
    target: text('target'),
    frustration: listOf(value('frustration')).map(String),
    resourceType: text('res_type'),
    method: text('res_method'),
    host: text('res_host'),
    endpoint: text('res_endpoint'),
    status: number('res_status'),
    failed: number('res_failed') === 1,
    size: number('res_size'),
    issue: text('err_group'),
    errorType: text('err_type'),
    errorMessage: text('err_message'),
    errorStack: text('err_stack'),
    handled: number('err_handled') === 1,
    blocking: number('blocking'),
    flags: listOf(value('flags')).map(String),
    arms: listOf(value('arms')).flatMap(armOf),
    attributes: attributesOf(value('attrs')),
    cut: false,
  }
}

interface Bounds {
  text: number
  stack: number
  attributes: number
  reads: number
}

const inMemory: Bounds = { text: 500, stack: 4_000, attributes: 20, reads: 100 }
const onTheWay: Bounds = { text: 150, stack: 1_000, attributes: 5, reads: 10 }

/** For an event with a row of this size. */
export function boundEvent(event: LiveEvent, size: number): LiveEvent {
  return size > limits.liveEventSize ? cutEvent(event, inMemory) : event
}

/** Small enough for a message between servers. */
export const shrinkEvent = (event: LiveEvent) => cutEvent(event, onTheWay)

function cutEvent(event: LiveEvent, bounds: Bounds): LiveEvent {
  const texts = Object.entries(event).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value.slice(0, bounds.text)]] : [],
  )
  const attributes = Object.entries(event.attributes).slice(0, bounds.attributes)
  return {
    ...event,
    ...Object.fromEntries(texts),
    errorStack: event.errorStack.slice(0, bounds.stack),
    flags: event.flags.slice(0, bounds.reads),
    arms: event.arms.slice(0, bounds.reads),
    attributes: Object.fromEntries(attributes.map(([name, value]) => [name, value.slice(0, bounds.text)])),
    cut: true,
  }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function armOf(arm: unknown): LiveEvent['arms'] {
  const [split, epoch, name] = listOf(arm)
  if (split === undefined || isHiddenSplit(String(split))) return []
  return [{ split: String(split), epoch: Number(epoch), arm: String(name) }]
}

function attributesOf(value: unknown): Record<string, string> {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return Object.fromEntries(entries.map(([name, text]) => [name, String(text)]))
}

const instantOf = (milliseconds: number) => new Date(milliseconds).toISOString()
