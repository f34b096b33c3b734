// The way in, by npm and as the script that every Telltale server serves: there `telltale.init({ key })` asks the server
// that the script came from.

import { type Flags, type FlagsOptions, startFlags } from './flags.ts'

export type InitOptions = Omit<FlagsOptions, 'url'> & Partial<Pick<FlagsOptions, 'url'>>

// Known only while the script runs for the first time.
const script = typeof document === 'undefined' ? null : document.currentScript
const origin = script instanceof HTMLScriptElement && script.src ? new URL(script.src).origin : undefined

/** Without `url`: the server of the script, else that of the page. */
export function init({ url = origin ?? location.origin, ...options }: InitOptions): Flags {
  return startFlags({ url, ...options })
}
