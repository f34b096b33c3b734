// The script that every Telltale server hands out. `telltale.init({ key })` asks the server that it came from.

import { type Flags, type FlagsOptions, startFlags } from './flags.ts'

/** Written in by the build. */
declare const liveFile: string

// Known only while the script runs for the first time. An import by a relative path would fail: a script of another origin
// has no address to begin from, unless its element says `crossorigin`.
const script = document.currentScript
const source = script instanceof HTMLScriptElement && script.src ? script.src : location.href

export function init(options: Omit<FlagsOptions, 'url'> & { url?: string }): Flags {
  return startFlags({ url: new URL(source).origin, ...options }, () => import(new URL(liveFile, source).href))
}
