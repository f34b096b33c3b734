// A date and a time as people of a zone write it, and the instant that it names.

/** From `2026-11-24T09:00`. Nothing for what is no date, or a time that the zone skips. */
export function instantIn(timeZone: string, local: string): string | undefined {
  const match = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(local)
  const wanted = Date.parse(`${local}Z`)
  if (!match || Number.isNaN(wanted)) return undefined
  // The offset before a change of the clocks and the one after it: one of them is right.
  for (const guess of [wanted - offsetAt(timeZone, wanted), wanted]) {
    const at = wanted - offsetAt(timeZone, guess)
    if (localIn(timeZone, at) === local) return new Date(at).toISOString()
  }
  return undefined
}

/** `2026-11-24T09:00`, as an input of date and time has it. */
export function localIn(timeZone: string, at: number): string {
  return new Date(at + offsetAt(timeZone, at)).toISOString().slice(0, 16)
}

function offsetAt(timeZone: string, at: number): number {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at)
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? '00'
  const local = `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}Z`
  return Date.parse(local) - Math.floor(at / 1_000) * 1_000
}
