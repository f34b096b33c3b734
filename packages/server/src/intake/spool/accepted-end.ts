// Records in a separate file how far the spool reached when a batch was last answered. A segment that is shorter or
// missing after a restart lost accepted data; without this file it would be mistaken for one that a crash left
// incomplete. It is not synced: after a power failure the recorded end may be too early, never too late.

import { type FileHandle, open, readFile } from 'node:fs/promises'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { checkedLine, readCheckedLines } from '../../platform/data-folder/checked-lines.ts'
import type { DamageLog } from './damage-log.ts'
import { isBefore, type Position } from './position.ts'
import type { Segments } from './segments.ts'

const positions = Compile(Type.Object({ segment: Type.Integer(), offset: Type.Integer() }))

interface AcceptedEnd {
  /** Recorded by the previous process. */
  before: Position | undefined
  /** Does not delay the response to the next batch. */
  note(end: Position): void
  close(): Promise<void>
}

export async function openAcceptedEnd(path: string): Promise<AcceptedEnd> {
  const { values } = readCheckedLines(await readFile(path, 'utf8').catch(() => ''))
  const before = values.find((value) => positions.Check(value))
  let file: FileHandle | undefined
  let next: Position | undefined
  let writing: Promise<void> | undefined

  const writeAll = async () => {
    while (next !== undefined) {
      // All entries have the same length, so that each one fully overwrites the previous one.
      const line = checkedLine(next).padEnd(lineLength, '\n')
      next = undefined
      file ??= await open(path, 'w', 0o600)
      await file.write(line, 0)
    }
  }
  return {
    before,
    note(end) {
      next = end
      // A disk that cannot write this cannot write a batch either.
      writing ??= writeAll()
        .catch(() => undefined)
        .finally(() => {
          writing = undefined
        })
    },
    async close() {
      await writing
      await file?.close()
    },
  }
}

const lineLength = 80

/** What is missing between the stored data and what was accepted. */
export function noteMissing(
  segments: Pick<Segments, 'sizeOf'>,
  { stored, accepted }: { stored: Position; accepted: Position | undefined },
  damage: Pick<DamageLog, 'note'>,
): void {
  if (accepted === undefined || !isBefore(stored, accepted)) return
  for (let segment = Math.max(1, stored.segment); segment <= accepted.segment; segment++) {
    const size = segments.sizeOf(segment)
    const isLast = segment === accepted.segment
    // The length of a missing file is known only for the last one.
    const wanted = isLast ? accepted.offset : 0
    const begin = Math.max(size ?? 0, segment === stored.segment ? stored.offset : 0)
    if (size !== undefined && begin >= wanted) continue
    if (isLast && begin >= wanted) continue
    damage.note({ segment, offset: begin, bytes: Math.max(0, wanted - begin), records: 1 })
  }
}
