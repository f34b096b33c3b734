// The server's processor time once it has nothing more to do: deferred work belongs to the turn that caused it.

import { setTimeout as pause } from 'node:timers/promises'
import type { Measured } from '../delivery/measured.ts'

/** Below this processor share the server counts as idle. */
const restingShare = 0.05
const restingSpan = 1_000
const restsWithin = 60_000

/** Microseconds. */
export async function atRest(server: Measured): Promise<number> {
  const deadline = performance.now() + restsWithin
  for (let { cpu: before } = await server.measure(); ; ) {
    await pause(restingSpan)
    const { cpu } = await server.measure()
    if (cpu - before < restingShare * restingSpan * 1_000 || performance.now() > deadline) return cpu
    before = cpu
  }
}
