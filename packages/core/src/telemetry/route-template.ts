// Derives the route of a path: `/orders/8121/items` and `/orders/9/items` are both `/orders/:id/items`. A segment that
// looks like an id is replaced; words are kept, however long.

const segmentsKept = 12
const longestSegment = 60

const wholeId = /^(?:\d+|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/i
const hexadecimal = /^(?=.*\d)[0-9a-f]{8,}$/i
const hasDigit = /\d/
const mostlyDigits = /^\D{0,4}[\d._:-]*\d{3,}[\d._:-]*$/

export function routeTemplate(path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '')
  const named = segments.slice(0, segmentsKept).map((segment) => (isId(segment) ? ':id' : segment))
  const rest = segments.length > segmentsKept ? ['*'] : []
  return `/${[...named, ...rest].join('/')}`
}

function isId(segment: string): boolean {
  if (segment.length > longestSegment || segment.includes('[email]') || segment.includes('[card]'))
    return true
  if (isRandom(segment)) return true
  return hasDigit.test(segment) && [wholeId, hexadecimal, mostlyDigits].some((shape) => shape.test(segment))
}

/** The alphabets of ULID, KSUID, cuid, nanoid and base64url, with a prefix such as `cus_` and the padding of base64. */
const alphabet = /^[\w-]{8,}={0,2}$/
const lowerCaseWords = /^[a-z_-]*$/
/** One or two breaks also occur in product names ("iPhone15Pro"). */
const fewestBreaks = 3

/**
 * Whether the characters follow each other as in no word: digits between letters, capitals within words, runs of
 * consonants. A slug or product name may contain one of these, so several are required, and more for longer segments.
 */
function isRandom(segment: string): boolean {
  if (!alphabet.test(segment) || lowerCaseWords.test(segment)) return false
  const breaks =
    count(segment, /(?<=[a-z])\d|(?<=\d)[a-z]/gi) +
    count(segment, /(?<=[a-z])[A-Z](?![a-z]{2})/g) +
    count(segment, /(?<![A-Za-z])[A-Z](?=[a-z]?(?:[A-Z\d_-]|$))/g) +
    count(segment, /[b-df-hj-np-tv-xz]{5,}|[aeiou]{4,}/gi) +
    count(segment, /(?<=[A-Z]{2})[a-z](?![a-z]{2})/g)
  const parts = segment.split(/[-_]/).filter((part) => /^(?:[A-Z]?[a-z]{3,}|[A-Z]{3,}|\d{1,4})$/.test(part))
  const words = parts.length + count(segment, /[A-Z][a-z]{4,}/g) / 2
  return breaks - 2 * words >= Math.max(fewestBreaks, segment.length / 8)
}

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0
