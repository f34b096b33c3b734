// Files of JSON lines, each followed by a checksum: a corrupted line is detected and does not affect other lines,
// even if the line break itself is corrupted. Lines written by older versions have no checksum.

import { crc32 } from 'node:zlib'

interface CheckedLines {
  values: unknown[]
  /** Unreadable lines; excludes an incomplete last line left by a crash. */
  damaged: string[]
}

const sumOf = (json: string | Uint8Array) => crc32(json).toString(16).padStart(8, '0')
/** JSON escapes tabs and line breaks. */
const checked = /([^\t]*)\t~([0-9a-f]{8})/g

export function checkedLine(value: unknown): string {
  const json = JSON.stringify(value)
  return `${json}\t~${sumOf(json)}\n`
}

/** One line of JSON as bytes: avoids holding it in memory once more as text. */
export function withChecksum(json: string | Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(json), Buffer.from(`\t~${sumOf(json)}\n`)])
}

/** The value of such a file, or of one that an older version wrote without a checksum. Undefined when it is corrupt. */
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

/** More than one when the line break between them is corrupted. */
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
