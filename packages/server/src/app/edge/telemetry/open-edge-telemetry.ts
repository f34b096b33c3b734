// The spools of all environments of an edge. Each has its own, so that an environment whose key the server refuses does
// not hold up the others.

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Lane } from '../../../intake/spool/spool.ts'
import { unavailable } from '../../../platform/http/problems.ts'
import type { Log } from '../../../platform/process/log.ts'
import { draftOf, type KeptRequest } from './kept-request.ts'
import { openRequestSpool, type RequestSpool } from './open-request-spool.ts'
import { type PassingCondition, type PassingOn, startPassingOn } from './pass-on.ts'
import type { RelayServer } from './send-request.ts'

export interface EdgeTelemetry {
  /** On disk when it returns. Throws `spool-full`. */
  keep(environmentId: string, request: KeptRequest, lane: Lane): Promise<void>
  /** Passes on what an earlier process left. */
  begin(environmentId: string): void
  conditionOf(environmentId: string): PassingCondition
  /** Of all environments. */
  condition(): PassingCondition
  stop(): Promise<void>
}

interface TelemetryParts {
  server: RelayServer
  /** The server key of an environment. */
  keyOf(environmentId: string): string | undefined
  folder: string
  /** Spools of processes that there are no longer: passed on, not written to. */
  leftFolders: readonly string[]
  largestBytes: number
  now(): number
  log: Log
}

interface Opened extends RequestSpool {
  environmentId: string
  passing: PassingOn
}

export function openEdgeTelemetry(parts: TelemetryParts): EdgeTelemetry {
  const { server, keyOf, folder, leftFolders, largestBytes, now, log } = parts
  const opening = new Map<string, Promise<Opened>>()
  const opened = new Set<Opened>()
  const waitingBytes = () => [...opened].reduce((sum, { spool }) => sum + spool.waitingBytes(), 0)

  const openOne = async (place: string, environmentId: string): Promise<Opened> => {
    const own: Opened[] = []
    const spool = await openRequestSpool({
      ...{ folder: join(place, environmentId), largestBytes, now, log },
      besidesBytes: () => waitingBytes() - own.reduce((sum, each) => sum + each.spool.waitingBytes(), 0),
    })
    const passing = startPassingOn({
      ...{ ...spool, now, log },
      async send(request, waited, signal) {
        const key = keyOf(environmentId)
        if (key !== undefined) return server.send(request, { key, waited, signal })
        return { kind: 'later', reason: 'the edge has no key', isFault: false, after: 0 }
      },
    })
    const one = { ...spool, environmentId, passing }
    own.push(one)
    opened.add(one)
    return one
  }
  const open = (place: string, environmentId: string) => {
    const path = join(place, environmentId)
    const known = opening.get(path)
    if (known !== undefined) return known
    const begun = openOne(place, environmentId)
    opening.set(path, begun)
    // A disk that fails now is tried again with the next request.
    begun.catch((error: unknown) => {
      opening.delete(path)
      log.error({ err: error }, 'the spool cannot be opened: telemetry is refused')
    })
    return begun
  }
  const openLeft = async (place: string, environmentId: string) => {
    const isThere = await stat(join(place, environmentId)).catch(() => undefined)
    if (isThere !== undefined) await open(place, environmentId)
  }

  return {
    async keep(environmentId, request, lane) {
      const { spool } = await open(folder, environmentId).catch(() => {
        throw unavailable()
      })
      await spool.append(draftOf(request, { environmentId, receivedAt: now() }), lane)
    },
    begin(environmentId) {
      const all = [open(folder, environmentId), ...leftFolders.map((place) => openLeft(place, environmentId))]
      for (const each of all) each.catch(() => undefined)
    },
    conditionOf: (environmentId) =>
      sumOf(
        [...opened]
          .filter((one) => one.environmentId === environmentId)
          .map(({ passing }) => passing.condition()),
      ),
    condition: () => sumOf([...opened].map(({ passing }) => passing.condition())),
    async stop() {
      await Promise.allSettled(opening.values())
      await Promise.all([...opened].map(({ passing }) => passing.stop()))
      await Promise.all([...opened].map((each) => each.close()))
    },
  }
}

function sumOf(conditions: readonly PassingCondition[]): PassingCondition {
  const sum: PassingCondition = {
    waitingBytes: 0,
    since: undefined,
    passedOn: 0,
    refused: 0,
    fault: undefined,
  }
  for (const each of conditions) {
    sum.waitingBytes += each.waitingBytes
    sum.passedOn += each.passedOn
    sum.refused += each.refused
    sum.fault ??= each.fault
    if (each.since !== undefined) sum.since = Math.min(sum.since ?? each.since, each.since)
  }
  return sum
}
