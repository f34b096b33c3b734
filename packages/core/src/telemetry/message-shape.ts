// A message apart from what differs each time it is written: addresses, mail addresses, quotations, ids and numbers.

const charactersCompared = 300
/** Ids without quotes: ULID, cuid, nanoid and the like, told from words by a digit among at least ten characters. */
const anId = /(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{10,}(?![\w-])/gi

export function messageShape(message: string): string {
  return message
    .slice(0, charactersCompared)
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>)]+/gi, '*')
    .replace(/[^\s"'<>@()]+@[^\s"'<>@()]+\.\w+/g, '*')
    .replace(/"[^"]*"|'[^']*'|`[^`]*`|“[^”]*”|«[^»]*»/g, '*')
    .replace(/\b(?:0x[0-9a-f]+|[0-9a-f]{8}-[0-9a-f-]{27}|(?=[a-f]*\d)[0-9a-f]{8,})\b/gi, '*')
    .replace(anId, '*')
    .replace(/[-+]?\d+(?:[.,:]\d+)*/g, '*')
    .trim()
}
