/** The name of an IANA time zone in its standard spelling; undefined if there is no such zone. */
export function spellTimeZone(name: string): string | undefined {
  // Newer versions of Node also accept offsets such as +01:00, which have no daylight saving time.
  if (!/^[a-z]/i.test(name)) return undefined
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    // An alias resolves to its older name (Asia/Kolkata to Asia/Calcutta), so the chosen name is kept.
    return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name
  } catch {
    return undefined
  }
}
