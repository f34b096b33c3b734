// How far the spool reached when a batch was last answered, in a file of its own. A file of the spool that is shorter after a
// restart, or missing, lost what was accepted; without this it would pass for one that a crash tore. It is not synced: after a
// power cut it may say less than was accepted, never more.

import { type FileHandle, open, readFile } from 'node:fs/promises'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { checkedLine, readCheckedLines } from '../../platform/data-folder/checked-lines.ts'
import type { DamageLog } from './damage-log.ts'
import { isBefore, type Position } from './position.ts'
import type { Segments } from './segments.ts'

const positions = Compile(Type.Object({ segment: Type.Integer(), offset: Type.Integer() }))

export interface AcceptedEnd {
  /** Of the process before this one. */
  before: Position | undefined
  /** Costs the batch that is answered next no time. */
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
      // Each is as long as the others, so that nothing of an earlier one is left behind it.
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
      // A disk that does not take it takes no batch either.
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

/** What is missing between what is stored and what was accepted. */
export function noteMissing(
  segments: Pick<Segments, 'sizeOf'>,
  { stored, accepted }: { stored: Position; accepted: Position | undefined },
  damage: Pick<DamageLog, 'note'>,
): void {
  if (accepted === undefined || !isBefore(stored, accepted)) return
  for (let segment = Math.max(1, stored.segment); segment <= accepted.segment; segment++) {
    const size = segments.sizeOf(segment)
    const isLast = segment === accepted.segment
    // How long a file was that is gone is known of the last one alone.
    const wanted = isLast ? accepted.offset : 0
    const begin = Math.max(size ?? 0, segment === stored.segment ? stored.offset : 0)
    if (size !== undefined && begin >= wanted) continue
    if (isLast && begin >= wanted) continue
    damage.note({ segment, offset: begin, bytes: Math.max(0, wanted - begin), records: 1 })
  }
}
