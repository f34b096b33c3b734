// Parses instants as RFC 3339 text. Hand-written because engines disagree about what Date.parse accepts.

const shape = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/

const minute = 60_000

/** Milliseconds since 1970, or NaN when the text is not a valid instant. Digits below the millisecond are dropped. */
export function parseInstant(text: string): number {
  const parts = shape.exec(text)
  if (parts === null) return Number.NaN

  const [year = 0, month = 0, day = 0, hour = 0, minutes = 0, seconds = 0] = parts.slice(1, 7).map(Number)
  const offset = Number(parts[9] ?? 0) * 60 + Number(parts[10] ?? 0)
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return Number.NaN
  if (hour > 23 || minutes > 59 || seconds > 59) return Number.NaN
  if (Number(parts[9] ?? 0) > 23 || Number(parts[10] ?? 0) > 59) return Number.NaN

  const milliseconds = Number((parts[7] ?? '').slice(0, 3).padEnd(3, '0'))
  const date = new Date(0)
  // Date.UTC maps the years 0 to 99 to 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minutes, seconds, milliseconds)
  return date.getTime() - (parts[8] === '-' ? -offset : offset) * minute
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}
