// The shape of a message: variable parts such as URLs, e-mail addresses, quoted text, ids and numbers are removed.

const charactersCompared = 300
/** Unquoted ids (ULID, cuid, nanoid and the like): at least ten characters with a digit, unlike words. */
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
