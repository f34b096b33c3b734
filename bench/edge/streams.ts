// Event streams at an edge: memory for each, and how soon a change reaches ten thousand. The listeners are processes of
// their own, because a process may not open enough sockets for both ends.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Measured } from '../delivery/measured.ts'
import { type BenchTelltale, clientKey } from '../delivery/start-telltale.ts'

const listening = fileURLToPath(new URL('listening.ts', import.meta.url))
const path = `/sdk/v1/stream?key=${clientKey}`
const mebibyte = 1_048_576
const changes = 10
/** In one process, whose limit of open files is 20,000 on many machines. */
const together = 10_000
const wanted = 50_000
const processes = 4
const patience = 180_000

type StartEdge = (name: string, env: Record<string, string>) => Promise<Measured>

export async function measureStreams(telltale: BenchTelltale, startEdge: StartEdge): Promise<string[]> {
  const ofOne = await measureChanges(telltale, startEdge)
  const ofMany = await measureMemory(telltale, startEdge)
  return [
    ...ofOne,
    '',
    ...ofMany,
    '',
    'Streams are on loopback, and their listeners share the cores with the edge.',
  ]
}

async function measureChanges(telltale: BenchTelltale, startEdge: StartEdge): Promise<string[]> {
  const edge = await startEdge('streams', { TELLTALE_STREAMS_PER_ADDRESS: '1000000' })
  const before = await memoryOf(edge.pid)
  const listeners = await Promise.all([0, 1].map((index) => openListeners(edge, together / 2, index)))
  const spans: number[] = []
  for (let change = 0; change < changes; change += 1)
    spans.push(...(await hearChange(telltale, listeners, change)))
  const after = await memoryOf(edge.pid)
  for (const { close } of listeners) close()
  await edge.stop()
  spans.sort((one, other) => one - other)
  const at = (share: number) =>
    `${(spans[Math.floor((spans.length - 1) * share)] ?? Number.NaN).toFixed(0)} ms`
  return [
    `From the request that changes a flag at the server to the message in each of ${group(together)} streams at one process of an edge, ${changes} changes: half within ${at(0.5)}, 95 % within ${at(0.95)} (wanted: 500 ms), all within ${at(1)}.`,
    '',
    `Memory of that process: ${toMebibytes(before)} MiB before, ${toMebibytes(after)} MiB with the streams, ${((after - before) / together / 1_024).toFixed(1)} KiB for each.`,
  ]
}

async function measureMemory(telltale: BenchTelltale, startEdge: StartEdge): Promise<string[]> {
  const edge = await startEdge('many-streams', {
    TELLTALE_STREAMS_PER_ADDRESS: '1000000',
    TELLTALE_EDGE_PROCESSES: String(processes),
  })
  const before = await memoryOf(edge.pid)
  const listeners = []
  for (let index = 0; index < processes; index += 1)
    listeners.push(await openListeners(edge, wanted / processes, index))
  const spans = await hearChange(telltale, listeners, 0)
  const after = await memoryOf(edge.pid)
  for (const { close } of listeners) close()
  await edge.stop()
  return [
    `${group(wanted)} streams at ${processes} processes on one port: ${toMebibytes(after)} MiB resident in all processes (wanted: 2,048), ${((after - before) / wanted / 1_024).toFixed(1)} KiB for each; before them ${toMebibytes(before)} MiB. A change reached the last of them after ${Math.max(...spans).toFixed(0)} ms.`,
  ]
}

interface Listeners {
  /** Resolves with the times at which all heard of it, in milliseconds since 1970. */
  hear(text: string): Promise<number[]>
  close(): void
}

/** From an address for each: one has 28,000 ports. */
async function openListeners({ url }: Measured, count: number, index: number): Promise<Listeners> {
  const child = fork(listening, [url, path, String(count), `127.0.0.${2 + index}`], {
    execArgv: ['--import', 'tsx'],
  })
  const message = () => once(child, 'message', { signal: AbortSignal.timeout(patience) })
  await message()
  return {
    async hear(text) {
      child.send(text)
      const [times] = await message()
      return times
    },
    close: () => child.kill(),
  }
}

/** Milliseconds for each stream. */
async function hearChange(
  telltale: BenchTelltale,
  listeners: Listeners[],
  change: number,
): Promise<number[]> {
  const heard = listeners.map(({ hear }) => hear('"flag-8"'))
  const sentAt = Date.now()
  await telltale.toggle('flag-8', change % 2 === 1)
  return (await Promise.all(heard)).flat().map((at) => at - sentAt)
}

/** Resident bytes of a process and those that it started. */
async function memoryOf(pid: number): Promise<number> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter(Boolean)
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const own = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) * 1_024
  const others = await Promise.all(children.map((child) => memoryOf(Number(child))))
  return others.reduce((sum, each) => sum + each, own)
}

const toMebibytes = (bytes: number) => (bytes / mebibyte).toFixed(0)
const group = (count: number) => count.toLocaleString('en')
