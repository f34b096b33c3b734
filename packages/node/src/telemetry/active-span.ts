// The active span of OpenTelemetry, when the application has it. All copies of `@opentelemetry/api` 1.x of a process share
// one object under a registered symbol, so that nothing has to be installed or imported, in ESM, CommonJS or a bundle.

const api = Symbol.for('opentelemetry.js.api.1')
/** Under which `trace.setSpan` of the API keeps the span in a context. */
const spanKey = Symbol.for('OpenTelemetry Context Key SPAN')
const traceForm = /^(?!0+$)[\da-f]{32}$/
const spanForm = /^(?!0+$)[\da-f]{16}$/

export interface ActiveSpan {
  traceId: string
  spanId: string
}

/** Undefined outside of a span, and without OpenTelemetry. Never throws. */
export function findActiveSpan(): ActiveSpan | undefined {
  try {
    const shared: unknown = Reflect.get(globalThis, api)
    if (shared === undefined) return undefined
    const active = call(member(shared, 'context'), 'active')
    const span = call(active, 'getValue', spanKey)
    const context = call(span, 'spanContext')
    const [traceId, spanId] = [member(context, 'traceId'), member(context, 'spanId')]
    if (typeof traceId !== 'string' || typeof spanId !== 'string') return undefined
    return traceForm.test(traceId) && spanForm.test(spanId) ? { traceId, spanId } : undefined
  } catch {
    return undefined
  }
}

const member = (of: unknown, name: string): unknown =>
  typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined

function call(of: unknown, name: string, ...given: unknown[]): unknown {
  const method = member(of, name)
  return typeof method === 'function' ? Reflect.apply(method, of, given) : undefined
}
