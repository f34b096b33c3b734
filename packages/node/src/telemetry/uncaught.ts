// Reports what ends the process, without changing how it ends: the monitor of Node is told before its own handling. A
// process that ends cannot wait for an answer, so a second one sends the report while it waits for at most five seconds.

import { spawnSync } from 'node:child_process'
import type { CaptureOptions } from '../client.ts'
import type { Server } from '../fetch-rule-set.ts'

export type ErrorSource = 'reported' | 'uncaught' | 'rejection'

type Capture = (error: unknown, options: CaptureOptions & { source: ErrorSource }) => void

interface UncaughtOptions {
  capture: Capture
  /** The process ends now. */
  sendLast(): void
}

/** Returns a function to stop. */
export function watchUncaught({ capture, sendLast }: UncaughtOptions): () => void {
  const onUncaught = (error: unknown, origin: string) => {
    capture(error, { source: origin === 'unhandledRejection' ? 'rejection' : 'uncaught', handled: false })
    const survives =
      process.listenerCount('uncaughtException') > 0 || process.hasUncaughtExceptionCaptureCallback()
    if (!survives) sendLast()
  }
  const onRejection = (reason: unknown) => capture(reason, { source: 'rejection', handled: false })
  // A listener of ours alone would keep the process alive: it is there only beside one of the application.
  const others = () => process.listeners('unhandledRejection').filter((listener) => listener !== onRejection)
  const follow = () => {
    const isThere = process.listeners('unhandledRejection').includes(onRejection)
    const isWanted = others().length > 0
    if (isWanted && !isThere) process.on('unhandledRejection', onRejection)
    if (!isWanted && isThere) process.off('unhandledRejection', onRejection)
  }
  const onAdded = (event: string | symbol, listener: unknown) => {
    if (event !== 'unhandledRejection' || listener === onRejection) return
    const isThere = process.listeners('unhandledRejection').includes(onRejection)
    if (!isThere) process.on('unhandledRejection', onRejection)
  }
  const onRemoved = (event: string | symbol, listener: unknown) => {
    if (event === 'unhandledRejection' && listener !== onRejection) follow()
  }

  follow()
  process.on('uncaughtExceptionMonitor', onUncaught)
  process.on('newListener', onAdded)
  process.on('removeListener', onRemoved)
  return () => {
    process.off('uncaughtExceptionMonitor', onUncaught)
    process.off('newListener', onAdded)
    process.off('removeListener', onRemoved)
    process.off('unhandledRejection', onRejection)
  }
}

const longestSending = 5_000

/** Reads the request from its standard input, so that the key is on no command line. */
const program = `
let text = ''
process.stdin.setEncoding('utf8').on('data', (more) => { text += more }).on('end', () => {
  const { url, key, body } = JSON.parse(text)
  fetch(url, { method: 'POST', headers: { authorization: 'Bearer ' + key, 'content-type': 'text/plain' }, body,
    signal: AbortSignal.timeout(${longestSending - 200}) }).then((answer) => answer.arrayBuffer()).catch(() => {})
})`

export function sendSynchronously({ url, key }: Server, { id, lines }: { id: string; lines: string }): void {
  const request = { url: `${url}/intake/v1/events?batch=${id}&sent=${Date.now()}`, key, body: lines }
  spawnSync(process.execPath, ['-e', program], {
    input: JSON.stringify(request),
    timeout: longestSending,
    stdio: ['pipe', 'ignore', 'ignore'],
    // Options of the application (a debugger, preloaded modules) are not for this program.
    env: { ...process.env, NODE_OPTIONS: '' },
    windowsHide: true,
  })
}
