// Files of lines of JSON, each with a checksum behind it: a line that the disk changed is told from a whole one, and costs no
// other line, not even when what changed was the line break. Lines that an older version wrote have no checksum.

import { crc32 } from 'node:zlib'

export interface CheckedLines {
  values: unknown[]
  /** Lines that cannot be read; never the beginning of one at the end of the file, which a crash left. */
  damaged: string[]
}

const sumOf = (json: string | Uint8Array) => crc32(json).toString(16).padStart(8, '0')
/** JSON writes no tab and no line break as such. */
const checked = /([^\t]*)\t~([0-9a-f]{8})/g

export function checkedLine(value: unknown): string {
  const json = JSON.stringify(value)
  return `${json}\t~${sumOf(json)}\n`
}

/** One line of JSON, which nobody wants to hold in memory twice as text. */
export function withChecksum(json: string | Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(json), Buffer.from(`\t~${sumOf(json)}\n`)])
}

/** The value of such a file, or of one that an older version wrote without a checksum. Nothing when it is not whole. */
export function readWithChecksum(text: string): unknown {
  const end = text.lastIndexOf('\t~')
  if (end < 0) return parse(text)[0]
  const json = text.slice(0, end)
  return text.slice(end) === `\t~${sumOf(json)}\n` ? parse(json)[0] : undefined
}

export function readCheckedLines(text: string): CheckedLines {
  const values: unknown[] = []
  const damaged: string[] = []
  const lines = text.split('\n')
  for (const [index, line] of lines.entries()) {
    if (line === '') continue
    const found = readLine(line)
    for (const value of found) values.push(value)
    const isUnfinished = index === lines.length - 1 && !line.includes('\t~')
    if (found.length === 0 && !isUnfinished) damaged.push(line)
  }
  return { values, damaged }
}

/** More than one when the line break between them was changed. */
function readLine(line: string): unknown[] {
  if (!line.includes('\t~')) return parse(line)
  return [...line.matchAll(checked)].flatMap(([, json = '', sum]) => {
    const whole = [json, json.slice(1)].find((text) => sumOf(text) === sum)
    return whole === undefined ? [] : parse(whole)
  })
}

function parse(json: string): unknown[] {
  try {
    return [JSON.parse(json)]
  } catch {
    return []
  }
}
