// Console messages and details of requests in a replay, loaded in recorded sessions of environments that allow them.
// The page works as without it: everything is caught, its values are copied and its streams are never consumed.

import { records as codes } from '@telltale/core/telemetry/replay/codes'
import { allowedOf, type RequestRule } from '@telltale/core/telemetry/request-rules'
import { scrubSecrets } from '@telltale/core/telemetry/secrets'
import { guarded, onFault, type ReportFault } from '../browser/guard.ts'
import { cleanUrl } from '../clean.ts'
import { type Allowance, createAllowance } from '../replay/allowance.ts'
import { createClock } from '../replay/clock.ts'
import type { WriteRecord } from '../replay/page-records.ts'
import type { Sampled } from '../sampled.ts'
import { watchConsole } from './console-calls.ts'
import type { Permitted, RecordedRequest } from './request-parts.ts'
import { watchFetch } from './watch-fetch.ts'
import { watchXhr } from './watch-xhr.ts'
import { sizeOfMessage, sizeOfRequest, writeMessage, writeRequest } from './write-details.ts'

export interface DetailsOptions {
  /** As the server sent it. */
  wanted: unknown
  /** Of the server, whose own requests are not the application's. */
  serverUrl: string
  /** Into the recording. `at`: milliseconds since 1970. */
  write(record: WriteRecord, at: number): void
  report: ReportFault
}

// In the time of a segment.
const messagesAtMost = 200
const messageCharacters = 65_536
const requestsAtMost = 100
const requestCharacters = 262_144

export function startDetails({ wanted, serverUrl, write, report }: DetailsOptions): Sampled {
  onFault(report)
  const { isConsole, rules, named } = readWanted(wanted)
  const { now } = createClock()
  const messages = createAllowance(messagesAtMost, messageCharacters, now)
  const requests = createAllowance(requestsAtMost, requestCharacters, now)
  const noteLeft = (of: string, allowance: Allowance) => {
    const count = allowance.takeLeft()
    if (count === 0) return
    write((stream) => {
      stream.byte(codes.note)
      stream.text(JSON.stringify({ kind: 'left-out', of, count }))
    }, now())
  }
  const ownUrl = new URL(serverUrl || '/', document.baseURI).href
  const stops: (() => void)[] = []
  if (isConsole) {
    const stop = watchConsole(named, messages.isOpen, (message) => {
      messages.spend(sizeOfMessage(message))
      noteLeft('console', messages)
      write((stream) => writeMessage(stream, message), now())
    })
    stops.push(stop)
  }
  if (rules.length > 0) {
    const watch = {
      now,
      permit(address: string): Permitted | undefined {
        const url = new URL(address, document.baseURI)
        const isOurs = /^\/?(intake|sdk|ofrep)\/v1\//.test(url.href.replace(ownUrl, ''))
        const allowed = /^https?:$/.test(url.protocol) && !isOurs ? allowedOf(rules, url) : undefined
        return allowed && requests.isOpen() ? { ...allowed, named, url } : undefined
      },
      onRequest: guarded((recorded: RecordedRequest) => {
        const address = scrubSecrets(cleanUrl(recorded.address, false), named)
        requests.spend(sizeOfRequest(recorded))
        noteLeft('requests', requests)
        write((stream) => writeRequest(stream, { ...recorded, address }), now())
      }),
    }
    stops.push(watchFetch(watch), watchXhr(watch))
  }
  return {
    note: () => false,
    stop() {
      for (const stop of stops.splice(0)) stop()
    },
  }
}

/** What no server would send is not wanted. */
function readWanted(wanted: unknown) {
  const { console, requests, masked } = Object(wanted)
  const textsOf = (given: unknown): string[] =>
    Array.isArray(given) ? given.filter((each) => typeof each === 'string') : []
  const rules = (Array.isArray(requests) ? requests : []).flatMap((given): RequestRule[] => {
    const { host, path, headers, fields } = Object(given)
    if (typeof host !== 'string' || typeof path !== 'string') return []
    return [{ host, path, headers: textsOf(headers), fields: textsOf(fields) }]
  })
  return {
    isConsole: console === true,
    rules,
    named: new Set(textsOf(masked).map((name) => name.toLowerCase())),
  }
}
