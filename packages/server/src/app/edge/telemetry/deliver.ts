// Sends one request until the server has it, or has refused it for good.

import { edgeLimits } from '@telltale/core/edge-limits'
import { backoff, pause } from '@telltale/node/backoff'
import type { StoredRecord } from '../../../intake/spool/segment-reader.ts'
import type { Log } from '../../../platform/process/log.ts'
import type { KeptRequest } from './kept-request.ts'
import type { Outcome } from './send-request.ts'

export interface DeliverParts {
  send(request: KeptRequest, waited: number, signal: AbortSignal): Promise<Outcome>
  now(): number
  log: Log
  /** Between two attempts. */
  wait?: typeof pause
}

export interface DeliverState {
  passedOn: number
  /** Requests that the server refused for good. */
  refused: number
  /** Why the last request is not passed on yet. */
  fault: string | undefined
}

interface Deliver {
  /** Resolves to whether it is settled; false when it was stopped before. */
  deliver(record: StoredRecord, request: KeptRequest): Promise<boolean>
  state(): DeliverState
}

export function createDeliver({ send, now, log, wait = pause }: DeliverParts, signal: AbortSignal): Deliver {
  let passedOn = 0
  let refused = 0
  let fault: string | undefined

  const accept = () => {
    passedOn += 1
    if (fault !== undefined) log.info({}, 'telemetry is passed on again')
    fault = undefined
  }
  const giveUp = (reason: string, { url }: KeptRequest) => {
    refused += 1
    log.warn({ reason, path: url.split('?', 1)[0] }, 'telemetry was refused by the server')
  }

  return {
    async deliver(record, request) {
      let faults = 0
      for (let failures = 0; !signal.aborted; failures += 1) {
        const waited = Math.max(0, now() - record.header.receivedAt)
        const outcome = await send(request, waited, signal)
        if (outcome.kind === 'accepted') {
          accept()
          return true
        }
        faults += outcome.kind === 'later' && outcome.isFault ? 1 : 0
        if (outcome.kind === 'refused' || faults >= edgeLimits.edgeTelemetryFaults.value) {
          giveUp(outcome.reason, request)
          return true
        }
        if (signal.aborted) break
        if (fault === undefined) log.warn({ reason: outcome.reason }, 'telemetry waits for the server')
        fault = outcome.reason
        await wait(Math.max(outcome.after, backoff(failures, edgeLimits.edgeTelemetryBackoff.value)), signal)
      }
      return false
    },
    state: () => ({ passedOn, refused, fault }),
  }
}
