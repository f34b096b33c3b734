// Writes an event as a JSON row: the columns of its context, then its own.

import type { EventOf, TelemetryEvent } from '../contract/events.ts'
import { type ContextFields, contextColumns, type FlagsOfContext } from './context-row.ts'
import { countText, floatText, idText, instantText, revisionText } from './row-text.ts'

const ownColumns = [
  'kind',
  'ts',
  'client_ts',
  'event_id',
  'flags',
  'arms',
  'attrs',
  'action_id',
  'trace_id',
  'name',
  'value',
  'duration',
  'target',
  'frustration',
  'res_type',
  'res_method',
  'res_host',
  'res_endpoint',
  'res_status',
  'res_failed',
  'res_size',
  'err_group',
  'err_type',
  'err_message',
  'err_stack',
  'err_handled',
  'blocking',
  'scripts',
  'rev',
  'origin',
  'replay_inclusion',
  'profile_inclusion',
] as const

/** Last, so that rows of earlier versions in the spool are complete without it. */
export const eventColumns = [...contextColumns, ...ownColumns] as const

/** Values that the server derives from an event. */
export interface Derived {
  /** Server time. */
  at: number
  /** Only for a view state. */
  startedAt: number
  host: string
  endpoint: string
  group: string
}

export interface RowContext {
  /** From `contextRow`. */
  shared: string
  flags: FlagsOfContext
  isServer: boolean
  attributes: TelemetryEvent['attributes']
  /** The last two columns; missing if unknown. */
  inclusion?: string
}

type StoredEvent = Exclude<TelemetryEvent, { kind: 'view_state' }>

const json = JSON.stringify
const noInclusion = '0,0'
const noResource = '"","","","",0,0,0'
const noError = '0,"","","",0'
const noFrame = '0,[]'

export function eventRow(event: StoredEvent, derived: Derived, context: RowContext): string {
  const { flags } = context
  const arms = event.kind === 'exposure' ? (flags.armsOf.get(event.flag) ?? '[]') : flags.arms
  const attributes = attributesText(context.attributes, event)
  const head = `"${event.kind}",${instantText(derived.at)},${instantText(event.at)},"${event.id}"`
  const origin = context.isServer ? '"server"' : '"browser"'
  return `[${context.shared},${head},${flags.flags},${arms},${attributes},${ownText(event, derived)},${origin},${context.inclusion ?? noInclusion}]`
}

/** The columns from `action_id` on. */
function ownText(event: StoredEvent, derived: Derived): string {
  switch (event.kind) {
    case 'view':
      return plain({ name: event.name ?? '' })
    case 'vital':
      return plain({ name: event.name, value: event.value, target: event.target, rev: event.rev })
    case 'action': {
      const { name, target, action, duration, frustration } = event
      return plain({ name, target, action, duration, frustrations: frustration })
    }
    case 'custom':
      return plain({ name: event.name, value: event.value ?? 1, duration: event.duration })
    case 'exposure':
      return plain({ name: event.flag, traceId: event.traceId })
    case 'resource': {
      const { url, action, traceId, duration } = event
      return plain({ name: '', target: url, action, traceId, duration, rest: resourceText(event, derived) })
    }
    case 'error': {
      const { source, action, traceId } = event
      return plain({ name: source, action, traceId, rest: errorText(event, derived) })
    }
    case 'long_frame':
      return plain({ name: '', duration: event.duration, rest: frameText(event) })
  }
}

interface Plain {
  name: string
  value?: number | undefined
  duration?: number | undefined
  target?: string | undefined
  action?: string | undefined
  traceId?: string | undefined
  frustrations?: readonly string[] | undefined
  rest?: string
  rev?: number | undefined
}

const noRest = `${noResource},${noError},${noFrame}`

function plain(own: Plain): string {
  const { name, value = 0, duration = 0, target, action, traceId, frustrations, rest = noRest, rev = 0 } = own
  const found = frustrations?.length ? json([...new Set(frustrations)]) : '[]'
  return `${idText(action)},${textOf(traceId)},${textOf(name)},${floatText(value)},${floatText(duration)},${textOf(target)},${found},${rest},${countText(rev, 16)}`
}

/** Most of these columns are empty in most events. */
const textOf = (text = '') => (text === '' ? '""' : json(text))

function resourceText(event: EventOf<'resource'>, { host, endpoint }: Derived): string {
  const { type, method = '', status = 0, size = 0 } = event
  const failed = event.failed ?? status >= 400
  const resource = [json(type), json(method), json(host), json(endpoint), countText(status, 16)]
  return `${resource.join(',')},${failed ? 1 : 0},${countText(size, 32)},${noError},${noFrame}`
}

function errorText({ type = 'Error', message, stack = '', handled }: EventOf<'error'>, derived: Derived) {
  const error = [`"${derived.group}"`, json(type), json(message), json(stack), handled ? '1' : '0']
  return `${noResource},${error.join(',')},${noFrame}`
}

function frameText({ blocking = 0, scripts = [] }: EventOf<'long_frame'>): string {
  const ran = scripts.map(
    ({ source, function: name, ms }) => `[${json(source)},${json(name)},${floatText(ms)}]`,
  )
  return `${noResource},${noError},${floatText(blocking)},[${ran.join(',')}]`
}

/** Attributes as a map with text values. */
function attributesText(shared: TelemetryEvent['attributes'], event: StoredEvent): string {
  const ofError = event.kind === 'error' ? errorAttributes(event) : undefined
  if (shared === undefined && event.attributes === undefined && ofError === undefined) return '{}'

  if (shared !== undefined && event.attributes === undefined && ofError === undefined)
    return sharedText(shared)
  return mapText({ ...shared, ...event.attributes, ...ofError })
}

/** Attributes of a context, serialized once for all of its events. */
const sharedTexts = new WeakMap<object, string>()

function sharedText(shared: NonNullable<TelemetryEvent['attributes']>): string {
  const text = sharedTexts.get(shared) ?? mapText(shared)
  sharedTexts.set(shared, text)
  return text
}

function mapText(all: NonNullable<TelemetryEvent['attributes']>): string {
  const pairs = Object.entries(all).map(([name, value]) => `${json(name)}:${json(String(value))}`)
  return `{${pairs.join(',')}}`
}

/** The fingerprint of an error that the application groups itself. */
export const fingerprintAttribute = 'error.fingerprint'

/** Method, host and endpoint of the request that failed. */
export const requestAttribute = 'error.request'

function errorAttributes({ componentStack, fingerprint, request }: EventOf<'error'>) {
  if (!componentStack && !fingerprint && !request) return undefined
  return {
    ...(componentStack && { componentStack }),
    ...(fingerprint && { [fingerprintAttribute]: fingerprint }),
    ...(request && { [requestAttribute]: request }),
  }
}

export const viewColumns = [
  'environment_id',
  'session_id',
  'view_id',
  'tab_id',
  'user_hash',
  'source',
  'page',
  'url',
  'rev',
  'started',
  'updated',
  'duration',
  'active',
  'exit',
  'lcp',
  'inp',
  'cls',
  'fcp',
  'ttfb',
  'actions',
  'resources',
  'errors',
  'long_frames',
  'frustrations',
] as const

interface ViewOrigin {
  environmentId: string
  source: string
}

/** The context columns of a view's row. */
export function viewContextRow({ environmentId, source }: ViewOrigin, fields: ContextFields): string {
  const { context, page, url, userHash } = fields
  const ids = [environmentId, context.session, context.view, context.tab].map(idText)
  return `${ids.join(',')},"${userHash}",${json(source)},${json(page)},${json(url)}`
}

export function viewRow(state: EventOf<'view_state'>, derived: Derived, shared: string): string {
  const { vitals = {} } = state
  const { LCP, INP, CLS, FCP, TTFB } = vitals
  const measured = [LCP, INP, CLS, FCP, TTFB].map((value) =>
    value === undefined ? 'null' : floatText(value),
  )
  const counts = [state.actions, state.resources, state.errors, state.longFrames, state.frustrations]
  const times = `${instantText(derived.startedAt)},${instantText(derived.at)},${floatText(state.duration)}`
  const rest = [...measured, ...counts.map((count) => countText(count, 16))].join(',')
  return `[${shared},${revisionText(state.rev)},${times},${state.active ? 1 : 0},${json(state.exit ?? '')},${rest}]`
}
