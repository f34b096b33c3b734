// Rows that the store rejects, each with the store's message: kept until they are retried. One file per insert, named
// by its token, so that a crash in between never leaves a row in two files.

import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { checkedLine, readCheckedLines } from '../../platform/data-folder/checked-lines.ts'
import { createPrivateFolder } from '../../platform/data-folder/create-private-folder.ts'
import { writeWholeFile } from '../../platform/data-folder/write-whole-file.ts'
import { tableNames, type WrittenTable } from '../../platform/engines/clickhouse/schema/tables.ts'
import type { DamageLog } from './damage-log.ts'

export interface RefusedRow {
  table: WrittenTable
  columns: readonly string[]
  /** A line of JSON. */
  row: string
  code: number
  message: string
}

export interface KeptRow extends RefusedRow {
  /** When it was quarantined, milliseconds since 1970. */
  at: number
}

export interface Quarantine {
  keep(token: string, rows: readonly RefusedRow[]): Promise<void>
  /** The names of the files, the oldest first. */
  files(): Promise<string[]>
  read(file: string): Promise<KeptRow[]>
  /** Replaces the rows of a file; without rows, deletes it. */
  replace(file: string, rows: readonly KeptRow[]): Promise<void>
  /** Its size on disk. */
  sizeBytes(): number
}

const kept = Compile(
  Type.Object({
    table: Type.Enum(tableNames),
    columns: Type.Array(Type.String()),
    row: Type.String(),
    code: Type.Number(),
    message: Type.String(),
    at: Type.Optional(Type.Number()),
  }),
)

export async function openQuarantine(
  folder: string,
  { now, damage }: { now(): number; damage: Pick<DamageLog, 'noteLine'> },
): Promise<Quarantine> {
  await createPrivateFolder(folder)
  const sizes = new Map<string, number>()
  let total = 0
  const note = (name: string, size: number) => {
    total += size - (sizes.get(name) ?? 0)
    if (size === 0) sizes.delete(name)
    else sizes.set(name, size)
  }
  for (const name of await readdir(folder)) note(name, (await stat(join(folder, name))).size)

  const write = async (name: string, rows: readonly KeptRow[]) => {
    const text = rows.map(({ row, ...about }) => checkedLine({ ...about, row })).join('')
    await writeWholeFile(join(folder, name), text)
    note(name, Buffer.byteLength(text))
  }

  return {
    async keep(token, rows) {
      const at = now()
      await write(
        `${token}.jsonl`,
        rows.map((row) => ({ ...row, at })),
      )
    },
    async files() {
      const names = [...sizes.keys()].filter((name) => name.endsWith('.jsonl'))
      const ages = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).mtimeMs))
      const ageOf = new Map(names.map((name, index) => [name, ages[index] ?? 0]))
      return names.sort((one, other) => (ageOf.get(one) ?? 0) - (ageOf.get(other) ?? 0))
    },
    async read(file) {
      const path = join(folder, file)
      const [text, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)])
      const { values, damaged } = readCheckedLines(text)
      for (const line of damaged) damage.noteLine({ file, line })
      return values.flatMap((value) => (kept.Check(value) ? [{ ...value, at: value.at ?? mtimeMs }] : []))
    },
    async replace(file, rows) {
      if (rows.length > 0) return write(file, rows)
      await rm(join(folder, file), { force: true })
      note(file, 0)
    },
    sizeBytes: () => total,
  }
}
