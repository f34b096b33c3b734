// Memory and open files of running processes, as Linux counts them, and how they change over time.

import { readdir, readFile } from 'node:fs/promises'

export interface Sample {
  /** Seconds since the load began. */
  at: number
  /** Proportional set size in bytes: what processes share counts once. */
  memory: number
  files: number
}

/** A process and all that it started. */
export async function measureTree(pid: number): Promise<Omit<Sample, 'at'>> {
  const processes = await treeOf(pid)
  const measured = await Promise.all(processes.map(measureOne))
  return {
    memory: measured.reduce((sum, { memory }) => sum + memory, 0),
    files: measured.reduce((sum, { files }) => sum + files, 0),
  }
}

async function treeOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  const below = await Promise.all(children.split(' ').filter(Boolean).map(Number).map(treeOf))
  return [pid, ...below.flat()]
}

/** A process that has ended meanwhile has nothing. */
async function measureOne(pid: number): Promise<Omit<Sample, 'at'>> {
  const [rollup, files] = await Promise.all([
    readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => ''),
    readdir(`/proc/${pid}/fd`).catch(() => []),
  ])
  return { memory: Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) * 1_024, files: files.length }
}

interface Trend {
  mean: number
  /** By least squares, a fraction of the mean per hour. */
  slope: number
  /** Twice the standard error of the slope, from the means of blocks: neighbouring samples are not independent. */
  doubt: number
}

const blocks = 10

export function trendOf(samples: readonly Sample[], member: 'memory' | 'files'): Trend {
  const size = Math.max(1, Math.floor(samples.length / blocks))
  const points = Array.from({ length: Math.floor(samples.length / size) }, (_, index) => {
    const block = samples.slice(index * size, (index + 1) * size)
    return { x: meanOf(block.map(({ at }) => at / 3_600)), y: meanOf(block.map((sample) => sample[member])) }
  })
  const [middle, mean] = [meanOf(points.map(({ x }) => x)), meanOf(points.map(({ y }) => y))]
  const spread = sumOf(points.map(({ x }) => (x - middle) ** 2))
  const slope = sumOf(points.map(({ x, y }) => (x - middle) * (y - mean))) / spread
  const left = sumOf(points.map(({ x, y }) => (y - mean - slope * (x - middle)) ** 2))
  const error = Math.sqrt(left / Math.max(1, points.length - 2) / spread)
  return { mean, slope: slope / mean, doubt: (2 * error) / mean }
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
const meanOf = (values: readonly number[]) => sumOf(values) / values.length
