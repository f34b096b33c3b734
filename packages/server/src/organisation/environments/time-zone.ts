/** The name of an IANA time zone with the letters it is written with; undefined when there is no such zone. */
export function spellTimeZone(name: string): string | undefined {
  // Newer versions of Node also take offsets such as +01:00, which know no summer.
  if (!/^[a-z]/i.test(name)) return undefined
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    // An alias resolves to its older name (Asia/Kolkata to Asia/Calcutta): people keep the one they chose.
    return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name
  } catch {
    return undefined
  }
}
