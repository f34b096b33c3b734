// Addresses of pages in a recording, under the rules of the environment. The rest of a recording was masked in the page, or
// is what the page showed: it is kept as it came.

/** The address of a page is at most so far from the beginning of its line. */
const longestLine = 64 * 1_024
const newline = 0x0a

/** Gives the same text when there was nothing to hide. */
export function hideInRecords(text: Buffer, hide: (text: string) => string): Buffer {
  const parts: Buffer[] = []
  let kept = 0
  for (let at = text.indexOf('"href"'); at >= 0; at = text.indexOf('"href"', at + 1)) {
    const begin = text.lastIndexOf(newline, at) + 1
    const found = text.indexOf(newline, at)
    const end = found < 0 ? text.length : found
    const line = end - begin > longestLine ? undefined : hideInLine(text.toString('utf8', begin, end), hide)
    if (line !== undefined && begin >= kept) {
      parts.push(text.subarray(kept, begin), Buffer.from(line))
      kept = end
    }
    at = end
  }
  return parts.length === 0 ? text : Buffer.concat([...parts, text.subarray(kept)])
}

/** Nothing where the line is no page, or stays as it is. */
function hideInLine(line: string, hide: (text: string) => string): string | undefined {
  try {
    const record: { type?: unknown; data?: { href?: unknown } } = JSON.parse(line)
    const href = record.data?.href
    if (record.type !== 4 || typeof href !== 'string' || hide(href) === href) return undefined
    return JSON.stringify({ ...record, data: { ...record.data, href: hide(href) } })
  } catch {
    // What is no record is told as broken when somebody plays it.
    return undefined
  }
}
