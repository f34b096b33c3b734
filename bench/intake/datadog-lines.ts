// Converts a batch to the format of the Datadog client: the same data in its own structure. An event here may be a
// part of its view there, and it does not send exposures.

import { randomUUID } from 'node:crypto'
import type { Line } from './traffic.ts'

const ns = (ms: unknown) => Math.round(Number(ms) * 1e6)
const viewVitals: Readonly<Record<string, string>> = {
  LCP: 'largest_contentful_paint',
  INP: 'interaction_to_next_paint',
  CLS: 'cumulative_layout_shift',
  FCP: 'first_contentful_paint',
  TTFB: 'first_byte',
}

export function toDatadog([context = {}, ...events]: readonly Line[]): Line[] {
  const reads = Array.isArray(context.reads) ? context.reads : []
  const shared = {
    application: { id: 'shop' },
    session: { id: context.session, type: 'user' },
    service: context.service,
    version: context.version,
    source: 'browser',
    ddtags: 'sdk_version:7.16.2,env:production,service:shop,version:1.42.0',
    usr: { anonymous_id: context.anonymousId },
    tab: { id: context.tab },
    connectivity: { status: 'connected', effective_type: context.connection },
    display: { viewport: { width: 1440, height: 900 } },
    feature_flags: Object.fromEntries(reads.map(({ flag }) => [flag, true])),
    _dd: { format_version: 2, drift: 0, configuration: { session_sample_rate: 100 } },
  }
  const at = { id: context.view, url: context.url, referrer: '', name: context.page }
  const children = events.flatMap((event) => {
    const reported = toldOf(event)
    return reported === undefined ? [] : [{ ...reported, date: event.at, ...shared, view: at }]
  })
  return [
    ...children,
    { ...viewOf(events), ...shared, ...viewPart(events, at), _dd: { ...shared._dd, document_version: 1 } },
  ]
}

function toldOf(event: Line): Line | undefined {
  const id = randomUUID()
  switch (event.kind) {
    case 'resource':
      return {
        type: 'resource',
        resource: {
          id,
          type: event.type === 'fetch' ? 'fetch' : 'js',
          url: event.url,
          method: event.method,
          status_code: event.status,
          duration: ns(event.duration),
          size: event.size,
          transfer_size: event.size,
          encoded_body_size: event.size,
          decoded_body_size: event.size,
          first_byte: { duration: ns(event.duration), start: 0 },
        },
      }
    case 'action':
      return {
        type: 'action',
        action: {
          id,
          type: 'click',
          target: { name: event.name },
          loading_time: 1_000_000,
          frustration: { type: [] },
          error: { count: 0 },
          resource: { count: 0 },
          long_task: { count: 0 },
        },
      }
    case 'long_frame':
      return {
        type: 'long_task',
        long_task: {
          id,
          entry_type: 'long-animation-frame',
          duration: ns(event.duration),
          blocking_duration: ns(event.blocking),
          scripts: [
            {
              source_url: 'https://shop.example/app.js',
              source_function_name: 'render',
              invoker: 'TimerHandler:setTimeout',
              duration: ns(event.blocking),
            },
          ],
        },
      }
    case 'custom':
      return {
        type: 'action',
        action: { id, type: 'custom', target: { name: event.name }, frustration: { type: [] } },
        context: event.attributes,
      }
    case 'error':
      return {
        type: 'error',
        error: {
          id,
          message: event.message,
          type: event.type,
          stack: event.stack,
          source: 'source',
          handling: 'unhandled',
          source_type: 'browser',
        },
      }
    default:
      return undefined
  }
}

function viewOf(events: readonly Line[]): Line {
  const view = events.find(({ kind }) => kind === 'view')
  return { type: 'view', date: view?.at }
}

function viewPart(events: readonly Line[], at: Line): Line {
  const state = events.find(({ kind }) => kind === 'view_state') ?? {}
  const vitals = events
    .filter(({ kind }) => kind === 'vital')
    .map(({ name, value }) => [viewVitals[String(name)], name === 'CLS' ? value : ns(value)])
  const count = (value: unknown) => ({ count: value })
  return {
    view: {
      ...at,
      loading_type: 'route_change',
      is_active: false,
      time_spent: ns(state.duration),
      action: count(state.actions),
      error: count(state.errors),
      resource: count(state.resources),
      long_task: count(state.longFrames),
      frustration: count(state.frustrations),
      ...Object.fromEntries(vitals),
    },
  }
}
