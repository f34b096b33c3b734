// Accepted telemetry that the disk damaged: counted once, kept across restarts and shown for some days, so that an
// operator learns of a failing disk.

import { readFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { limits } from '@telltale/core/limits'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { writeWholeFile } from '../../platform/data-folder/write-whole-file.ts'
import type { Log } from '../../platform/process/log.ts'

const Damage = Type.Object({
  /** Position of the first damaged byte: a segment of the spool and an offset, or a file and a line. */
  place: Type.String(),
  records: Type.Integer(),
  bytes: Type.Integer(),
  at: Type.Number(),
})
const known = Compile(Type.Array(Damage))

type Damage = Static<typeof Damage>

export interface DamageSum {
  records: number
  bytes: number
  lastAt: number
}

export interface DamageLog {
  note(damage: { segment: number; offset: number; bytes: number; records: number }): void
  noteLine(damage: { file: string; line: string }): void
  /** Damage of the last days; undefined without any. */
  recent(): DamageSum | undefined
  close(): Promise<void>
}

const mostKept = 1_000

export async function openDamageLog(
  path: string,
  { now, log }: { now(): number; log: Log },
): Promise<DamageLog> {
  let found = await readKnown(path)
  let writing = Promise.resolve()

  const add = (damage: Omit<Damage, 'at'>) => {
    if (found.some(({ place }) => place === damage.place)) return
    found = [...found.filter(isRecent), { ...damage, at: now() }].slice(-mostKept)
    const { place, records, bytes } = damage
    log.error({ place, records, bytes }, 'accepted telemetry was corrupted on disk: skipping it')
    const text = JSON.stringify(found)
    writing = writing
      .then(() => writeWholeFile(path, text))
      .catch((error: unknown) => log.warn({ err: error }, 'spool damage cannot be recorded'))
  }
  const isRecent = ({ at }: Damage) => at > now() - limits.damageShown

  return {
    note: ({ segment, offset, bytes, records }) => add({ place: `${segment}-${offset}`, records, bytes }),
    noteLine({ file, line }) {
      // Data from clients is not duplicated in a second file.
      const place = `${file} ${crc32(line)}`
      add({ place, records: 1, bytes: Buffer.byteLength(line) })
    },
    recent() {
      const recent = found.filter(isRecent)
      if (recent.length === 0) return undefined
      return {
        records: recent.reduce((total, { records }) => total + records, 0),
        bytes: recent.reduce((total, { bytes }) => total + bytes, 0),
        lastAt: Math.max(...recent.map(({ at }) => at)),
      }
    },
    close: () => writing,
  }
}

/** An unreadable list starts empty: its entries were also logged. */
async function readKnown(path: string): Promise<Damage[]> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'))
    return known.Check(value) ? value : []
  } catch {
    return []
  }
}
