// The script that every Telltale server hands out. `telltale.init({ key })` asks the server that it came from. A page that
// loads it with the snippet gets what it queued meanwhile done, and what failed meanwhile reported.

import { init as start } from './boot/init.ts'
import type { Telltale, TelltaleOptions } from './options.ts'

/** Written in by the build. */
declare const liveFile: string
declare const sampledFile: string

// Known only while the script runs for the first time. An import by a relative path would fail: a script of another origin
// has no address to begin from, unless its element says `crossorigin`.
const { src } = Object(document.currentScript)
const source: string = src || location.href

/** What the snippet left here, until this script takes its place. */
const { queue = [], early = [] } = Object(Reflect.get(globalThis, 'telltale'))

export function init(options: Omit<TelltaleOptions, 'url'> & { url?: string }): Telltale {
  const load = (file: string) => () => import(new URL(file, source).href)
  const parts = { loadLive: load(liveFile), loadSampled: load(sampledFile), early: early.splice(0) }
  return start({ url: new URL(source).origin, ...options }, parts)
}

/**
 * For code that may run before the script. Never at once: what the page queued earlier, such as the snippet's own `init`, may
 * still wait for its timer, and timers keep their order.
 */
export function onReady(run: () => void): void {
  setTimeout(run)
}

// Only after the global of this script stands where the snippet stood.
// One that fails does not take the others along.
queueMicrotask(() => queue.forEach(onReady))
