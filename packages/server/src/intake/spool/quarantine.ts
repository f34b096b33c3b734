// Rows that the store refuses, with what it said about each: kept until somebody tries them again. One file for each insert,
// named by its token, so that a crash in the middle leaves no row in two files.

import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createPrivateFolder } from '../../data-folder/create-private-folder.ts'
import { writeWholeFile } from '../../data-folder/write-whole-file.ts'
import type { WrittenTable } from '../../engines/clickhouse/schema/tables.ts'

export interface RefusedRow {
  table: WrittenTable
  columns: readonly string[]
  /** A line of JSON. */
  row: string
  code: number
  message: string
}

export interface Quarantine {
  keep(token: string, rows: readonly RefusedRow[]): Promise<void>
  /** What it takes on disk. */
  sizeBytes(): number
}

export async function openQuarantine(folder: string): Promise<Quarantine> {
  await createPrivateFolder(folder)
  const sizes = new Map<string, number>()
  let total = 0
  const note = (name: string, size: number) => {
    total += size - (sizes.get(name) ?? 0)
    sizes.set(name, size)
  }
  for (const name of await readdir(folder)) note(name, (await stat(join(folder, name))).size)

  return {
    async keep(token, rows) {
      const lines = rows.map(({ row, ...about }) => `${JSON.stringify({ ...about, row })}\n`)
      const text = lines.join('')
      await writeWholeFile(join(folder, `${token}.jsonl`), text)
      note(`${token}.jsonl`, Buffer.byteLength(text))
    },
    sizeBytes: () => total,
  }
}
