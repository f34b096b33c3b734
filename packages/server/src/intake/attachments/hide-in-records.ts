// Scrubs page addresses in a recording under the rules of the environment. The rest of a recording was masked in the
// page, or is content that the page showed, and is kept unchanged. A recording can contain a million addresses, so the
// event loop gets turns in between.

import { limits } from '@telltale/core/limits'
import { createGrowingBuffer } from '../../platform/memory/growing-buffer.ts'
import type { MemoryClaim } from '../../platform/memory/memory-budget.ts'
import { createYielder } from '../../platform/process/create-yielder.ts'

interface Hiding {
  hide(text: string): string
  /** Memory for the rewritten text. */
  claim: MemoryClaim
}

/** The maximum offset of the page address in its line. */
const longestLine = 64 * 1_024
const newline = 0x0a
const [quote, backslash] = [0x22, 0x5c]
/** Parsing and matching one address takes microseconds. */
const stepsPerLook = 8

/** Scrubs the format `rrweb-2`, one record per line. Returns the same text when there was nothing to hide. */
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
 * Scrubs the format of Datadog's client: one object, in which only pages and links have a member of this name. It is
 * not parsed: 40 MB would block the event loop for seconds. Returns the same text when there was nothing to hide.
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

/** The offset after the quote that closes the string opened at `begin`. */
function endOfText(text: Buffer, begin: number): number | undefined {
  for (let at = begin + 1; at < text.length; at++) {
    if (text[at] === backslash) at += 1
    else if (text[at] === quote) return at + 1
  }
  return undefined
}

/** Undefined when unchanged. */
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

/** Undefined when the line is not a page, or is unchanged. */
function hideInLine(line: string, hide: (text: string) => string): string | undefined {
  try {
    const record: { type?: unknown; data?: { href?: unknown } } = JSON.parse(line)
    const href = record.data?.href
    if (record.type !== 4 || typeof href !== 'string') return undefined
    const shown = hideInAddress(href, hide)
    return shown === href ? undefined : JSON.stringify({ ...record, data: { ...record.data, href: shown } })
  } catch {
    // Invalid records are reported as broken when the replay is played.
    return undefined
  }
}

/** Truncates addresses above the maximum length: rules take milliseconds on long texts. */
const hideInAddress = (address: string, hide: (text: string) => string) =>
  hide(address.slice(0, limits.eventTextLength))
