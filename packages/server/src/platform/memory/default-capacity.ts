import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import { limits } from '@telltale/core/limits'

/** An eighth of the memory available to this process, and at most half of its heap, which holds the parsed data. */
export function defaultCapacityBytes(): number {
  const ours = process.constrainedMemory()
  const available = ours > 0 ? Math.min(ours, totalmem()) : totalmem()
  const wanted = Math.min(available / 8, getHeapStatistics().heap_size_limit / 2, limits.requestMemoryMaximum)
  return Math.max(limits.requestMemoryMinimum, Math.floor(wanted))
}
