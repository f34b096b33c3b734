// The script that every Telltale server serves. `telltale.init({ key })` uses the server that it was loaded from. With
// the snippet, queued calls are executed and earlier errors reported.

import { init as start } from './boot/init.ts'
import type { Telltale, TelltaleOptions } from './options.ts'

/** Inserted by the build. */
declare const liveFile: string
declare const sampledFile: string
declare const toolbarFile: string

// Available only during the script's first execution. A relative import would fail: without `crossorigin` on its
// element, a cross-origin script has no base URL.
const { src } = Object(document.currentScript)
const source: string = src || location.href

/** The snippet's global, until this script replaces it. */
const { queue = [], early = [] } = Object(Reflect.get(globalThis, 'telltale'))

export function init(options: Omit<TelltaleOptions, 'url'> & { url?: string }): Telltale {
  const load = (file: string) => () => import(new URL(file, source).href)
  const parts = {
    loadLive: load(liveFile),
    loadSampled: load(sampledFile),
    loadToolbar: load(toolbarFile),
    early: early.splice(0),
  }
  return start({ url: new URL(source).origin, ...options }, parts)
}

/**
 * For code that may run before the script. Always asynchronous: earlier queued calls, such as the snippet's own `init`,
 * may still wait for their timer, and timers keep their order.
 */
export function onReady(run: () => void): void {
  setTimeout(run)
}

// Only after the global of this script stands where the snippet stood.
// One that fails does not take the others along.
queueMicrotask(() => queue.forEach(onReady))
