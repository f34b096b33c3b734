// Addresses of pages in a recording, under the rules of the environment. The rest of a recording was masked in the page, or
// is what the page showed: it is kept as it came. A recording can hold a million addresses: requests are answered in between.

import { limits } from '@telltale/core/limits'
import { createGrowingBuffer } from '../../platform/memory/growing-buffer.ts'
import type { MemoryClaim } from '../../platform/memory/memory-budget.ts'
import { createYielder } from '../../platform/process/create-yielder.ts'

export interface Hiding {
  hide(text: string): string
  /** For what is written anew. */
  claim: MemoryClaim
}

/** The address of a page is at most so far from the beginning of its line. */
const longestLine = 64 * 1_024
const newline = 0x0a
const [quote, backslash] = [0x22, 0x5c]
/** Parsing and matching one address takes microseconds. */
const stepsPerLook = 8

/** Of our recorder, one record a line. Gives the same text when there was nothing to hide. */
export async function hideInRecords(text: Buffer, { hide, claim }: Hiding): Promise<Buffer> {
  const yieldIfDue = createYielder(stepsPerLook)
  const written = createWriter(text, claim)
  for (let at = text.indexOf('"href"'); at >= 0; at = text.indexOf('"href"', at + 1)) {
    const begin = text.lastIndexOf(newline, at) + 1
    const found = text.indexOf(newline, at)
    const end = found < 0 ? text.length : found
    const line = end - begin > longestLine ? undefined : hideInLine(text.toString('utf8', begin, end), hide)
    if (line !== undefined) written.replace({ begin, end }, line)
    at = end
    const pause = yieldIfDue()
    if (pause !== undefined) await pause
  }
  return written.finish()
}

/**
 * Of Datadog's client: one object, in which only pages and links have a member of this name. It is not parsed: 40 MB of it
 * would take the event loop for seconds. Gives the same text when there was nothing to hide.
 */
export async function hideInSegment(text: Buffer, { hide, claim }: Hiding): Promise<Buffer> {
  const member = '"href":"'
  const yieldIfDue = createYielder(stepsPerLook)
  const written = createWriter(text, claim)
  for (let at = text.indexOf(member); at >= 0; at = text.indexOf(member, at)) {
    const begin = at + member.length - 1
    const end = endOfText(text, begin)
    if (end === undefined) break
    const shown = hideInText(text.toString('utf8', begin, end), hide)
    if (shown !== undefined) written.replace({ begin, end }, shown)
    at = end
    const pause = yieldIfDue()
    if (pause !== undefined) await pause
  }
  return written.finish()
}

function createWriter(text: Buffer, claim: MemoryClaim) {
  const shown = createGrowingBuffer(claim)
  let kept = 0
  return {
    replace({ begin, end }: { begin: number; end: number }, by: string): void {
      shown.push(text.subarray(kept, begin))
      shown.push(Buffer.from(by))
      kept = end
    },
    finish(): Buffer {
      if (kept === 0) return text
      shown.push(text.subarray(kept))
      return shown.bytes()
    },
  }
}

/** Behind the quote that closes what the quote at `begin` opens. */
function endOfText(text: Buffer, begin: number): number | undefined {
  for (let at = begin + 1; at < text.length; at++) {
    if (text[at] === backslash) at += 1
    else if (text[at] === quote) return at + 1
  }
  return undefined
}

/** Nothing where it stays as it is. */
function hideInText(literal: string, hide: (text: string) => string): string | undefined {
  try {
    const address: unknown = JSON.parse(literal)
    if (typeof address !== 'string') return undefined
    const shown = hideInAddress(address, hide)
    return shown === address ? undefined : JSON.stringify(shown)
  } catch {
    return undefined
  }
}

/** Nothing where the line is no page, or stays as it is. */
function hideInLine(line: string, hide: (text: string) => string): string | undefined {
  try {
    const record: { type?: unknown; data?: { href?: unknown } } = JSON.parse(line)
    const href = record.data?.href
    if (record.type !== 4 || typeof href !== 'string') return undefined
    const shown = hideInAddress(href, hide)
    return shown === href ? undefined : JSON.stringify({ ...record, data: { ...record.data, href: shown } })
  } catch {
    // What is no record is told as broken when somebody plays it.
    return undefined
  }
}

/** Of an address that is longer than any other is kept, the rest goes: rules take milliseconds for long texts. */
const hideInAddress = (address: string, hide: (text: string) => string) =>
  hide(address.slice(0, limits.eventTextLength))
