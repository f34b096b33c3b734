// Errors of the application: uncaught errors, rejections, `console.error`, and errors that it reports. An error is sent
// once, however many ways it is reported.

import type { EventOf } from '@telltale/core/contract/events'
import { guarded } from '../browser/guard.ts'
import { listen } from '../browser/listen.ts'
import { replaceMethod } from '../browser/replace-method.ts'
import { toInstant } from '../browser/time.ts'
import { cleanAttributes, textOf } from '../clean.ts'
import type { Emit } from '../event.ts'
import type { ReportOptions } from '../monitoring.ts'

type Source = EventOf<'error'>['source']

export interface ErrorOptions {
  emit: Emit
  /** Without being told. */
  listens: boolean
  /** `console.error` too. */
  console: boolean
  /** What happened before the library was there. */
  early: readonly Event[]
}

export type ReportError = (source: Source, thrown: unknown, options?: ReportOptions & { at?: number }) => void

const longestStack = 16_000
const longestMessage = 2_000
const causes = 5

export function startErrors({ emit, listens, console: isConsole, early }: ErrorOptions): ReportError {
  const seen = new WeakSet()
  let reported = 0

  const report: ReportError = (
    source,
    thrown,
    { attributes, componentStack, handled = true, at = Date.now() } = {},
  ) => {
    const object = Object(thrown)
    if (seen.has(object)) return
    // For a string or a number this is a new object each time.
    seen.add(object)
    reported++
    const { name, message = textOf(thrown), config } = object
    emit(
      'error',
      {
        source,
        type: name && `${name}`,
        message: textOf(message).slice(0, longestMessage),
        handled,
        stack: stackOf(thrown).slice(0, longestStack),
        componentStack: componentStack?.slice(0, longestStack),
        // Of axios.
        request: config?.url,
        attributes: cleanAttributes(attributes),
      },
      { at },
    )
  }
  const hear = (event: Event) => {
    const at = toInstant(event.timeStamp)
    const options = { handled: false, at }
    if ('reason' in event) report('rejection', event.reason, options)
    // Elements that fail to load also dispatch `error` events.
    else if (event instanceof ErrorEvent) {
      const { error, message, filename, lineno, colno } = event
      const stack = filename && `    at ${filename}:${lineno}:${colno}`
      const before = reported
      const tell = guarded(() => {
        if (before === reported) report('uncaught', error ?? { message, stack }, options)
      })
      // React 18 in development renders what threw again and again, and shows each attempt to the window. When it is done, the
      // error itself has come to a boundary or to the window.
      if (/GuardedCallback/.test(error?.stack)) setTimeout(tell)
      else tell()
    }
  }
  if (listens) {
    early.forEach(hear)
    listen(globalThis, 'error unhandledrejection', hear)
  }
  if (isConsole) {
    const note = guarded((args: unknown[]) => {
      const error = args.find((arg) => arg instanceof Error)
      report('console', error ?? { message: args.map(textOf).join(' ') })
    })
    replaceMethod(console, 'error', (original) => (...args) => {
      // React logs what a boundary is about to report with more detail.
      queueMicrotask(() => note(args))
      original.apply(console, args)
    })
  }
  return report
}

/** Including its causes. */
function stackOf(thrown: unknown): string {
  let text = ''
  let { stack, cause } = Object(thrown)
  for (let depth = 0; stack && depth < causes; depth++) {
    text += text ? `\nCaused by: ${stack}` : stack
    ;({ stack, cause } = Object(cause))
  }
  return text
}
