// What the writer has shipped and what it ships next. Written in advance, so that after a crash exactly the same rows
// are sent again with the same tokens. Each entry is written twice: if the last one were lost to a damaged byte,
// different rows would be sent with tokens that are already used.

import { type FileHandle, open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { checkedLine, readCheckedLines } from '../../platform/data-folder/checked-lines.ts'
import { createPrivateFolder } from '../../platform/data-folder/create-private-folder.ts'
import { isOutOfRoom } from '../../platform/data-folder/disk-errors.ts'
import { writeWholeFile } from '../../platform/data-folder/write-whole-file.ts'
import { isBefore } from './position.ts'

const Place = Type.Object({ segment: Type.Integer(), offset: Type.Integer() })
const Void = Type.Object({ ...Place.properties, rows: Type.Optional(Type.Array(Type.Integer())) })
const Entry = Type.Object({
  /** Everything before it is in the tables. */
  position: Place,
  /**
   * The next rows to ship: up to this position, without the records at these offsets, or without those of their rows
   * that another server ships.
   */
  plan: Type.Optional(Type.Object({ end: Place, void: Type.Array(Void) })),
})
const entries = Compile(Entry)

export type VoidRecord = Static<typeof Void>
export type JournalEntry = Static<typeof Entry>

export interface Journal {
  /** The last durable entry. */
  last(): JournalEntry
  /** No entry was found, so it is unknown what is in the tables: the folder is new, or both files are lost. */
  isNew: boolean
  write(entry: JournalEntry): Promise<void>
  close(): Promise<void>
}

const largestBytes = 1_024 * 1_024
const beginning: JournalEntry = { position: { segment: 0, offset: 0 } }

/**
 * There are two files with the same entries. If the last entries were lost with one file, rows that are in the tables
 * would be sent again, and others with a token that the store already knows.
 */
export async function openJournal(path: string): Promise<Journal> {
  await createPrivateFolder(dirname(path))
  const paths = [path, `${path}.copy`]
  const found = (await Promise.all(paths.map(readLast))).filter((entry) => entry !== undefined)
  let last = found.reduce<JournalEntry>((one, other) => (isLater(other, one) ? other : one), beginning)
  const files = await Promise.all(paths.map((each) => openFile(each, last)))

  return {
    last: () => last,
    isNew: found.length === 0,
    async write(entry) {
      const written = await Promise.allSettled(files.map((file) => file.write(entry)))
      for (const each of written) if (each.status === 'rejected') throw each.reason
      last = entry
    },
    async close() {
      await Promise.all(files.map((file) => file.close()))
    },
  }
}

async function openFile(path: string, last: JournalEntry) {
  let size = 0
  let file: FileHandle | undefined

  const begin = async (entry: JournalEntry) => {
    const old = file
    file = undefined
    await old?.close()
    await createPrivateFolder(dirname(path))
    const line = lineOf(entry)
    await writeWholeFile(path, line)
    file = await open(path, 'a')
    size = line.length
  }
  // With a full disk it is written later: the entry in the file is still valid.
  await begin(last).catch((error: unknown) => {
    if (!isOutOfRoom(error)) throw error
  })

  return {
    async write(entry: JournalEntry) {
      // Writing to a deleted file would keep nothing.
      if (file === undefined || size > largestBytes || (await file.stat()).nlink === 0) return begin(entry)
      const line = lineOf(entry)
      try {
        await file.appendFile(line)
        await file.datasync()
        size += line.length
      } catch (error) {
        // A partial line would corrupt the next one: rewrite the file.
        await file.close().catch(() => undefined)
        file = undefined
        throw error
      }
    },
    async close() {
      await file?.close()
    },
  }
}

/** The empty line separates the copies when a newline is damaged. */
const lineOf = (entry: JournalEntry) => `${checkedLine(entry)}\n${checkedLine(entry)}`

/** An entry that is incomplete after a crash is ignored. */
async function readLast(path: string): Promise<JournalEntry | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return readCheckedLines(text).values.findLast((value) => entries.Check(value))
}

/** Positions only grow, and the plan from a position is made after it was reached. */
function isLater(one: JournalEntry, other: JournalEntry): boolean {
  if (isBefore(other.position, one.position)) return true
  return !isBefore(one.position, other.position) && one.plan !== undefined && other.plan === undefined
}
