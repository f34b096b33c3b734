// The route that a path belongs to: `/orders/8121/items` and `/orders/9/items` are both `/orders/:id/items`. A segment is
// taken for an id when it looks like one; words, however long, stay.

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
  if (!hasDigit.test(segment)) return false
  return wholeId.test(segment) || hexadecimal.test(segment) || mostlyDigits.test(segment) || isRandom(segment)
}

/** As ids of 16 characters and more look: letters of both cases and digits without a pause. */
function isRandom(segment: string): boolean {
  return segment.length >= 16 && /[A-Z]/.test(segment) && /[a-z]/.test(segment) && !/[-.]/.test(segment)
}
