// How many bytes each environment sent today. Saved to disk regularly, so that a restart does not reset the day.

import { readFile } from 'node:fs/promises'
import { problem } from '@telltale/core/errors'
import { writeWholeFile } from '../../platform/data-folder/write-whole-file.ts'

export interface Quotas {
  /** Throws `quota-exceeded` when the daily quota is used up. */
  require(environmentId: string): void
  add(environmentId: string, bytes: number): void
  keep(): Promise<void>
}

const day = 86_400_000

export async function openQuotas(
  path: string,
  { most, now }: { most: number; now: () => number },
): Promise<Quotas> {
  const today = () => Math.floor(now() / day)
  let { date, used } = await read(path)
  let isChanged = false
  const turn = () => {
    if (date === today()) return
    date = today()
    used = new Map()
  }

  return {
    require(environmentId) {
      turn()
      if (most === 0 || (used.get(environmentId) ?? 0) < most) return
      throw problem('quota-exceeded', {
        detail: `At most ${most} bytes a day. The quota resets at midnight UTC.`,
        retryAfterSeconds: ((date + 1) * day - now()) / 1_000,
      })
    },
    add(environmentId, bytes) {
      turn()
      used.set(environmentId, (used.get(environmentId) ?? 0) + bytes)
      isChanged = true
    },
    async keep() {
      if (!isChanged || most === 0) return
      isChanged = false
      await writeWholeFile(path, JSON.stringify({ date, used: Object.fromEntries(used) }))
    },
  }
}

async function read(path: string): Promise<{ date: number; used: Map<string, number> }> {
  try {
    const { date, used }: { date: unknown; used: object } = JSON.parse(await readFile(path, 'utf8'))
    const pairs = Object.entries(used).filter(([, bytes]) => typeof bytes === 'number')
    if (typeof date === 'number') return { date, used: new Map(pairs) }
  } catch {
    // Missing or unreadable: the day's count starts at zero.
  }
  return { date: -1, used: new Map() }
}
