// The kinds of events in a session, used in its list filter and in URLs.

export const momentKinds = {
  page: 'Pages',
  action: 'Actions',
  request: 'Requests',
  error: 'Errors',
  vital: 'Vitals',
  slow: 'Long frames',
  flag: 'Flags',
  custom: 'Custom events',
  file: 'Resources',
} as const
/** For a single event. */
export const momentNames = {
  page: 'Page',
  action: 'Action',
  request: 'Request',
  error: 'Error',
  vital: 'Vital',
  slow: 'Long frame',
  flag: 'Exposure',
  custom: 'Custom event',
  file: 'Resource',
} as const satisfies Record<keyof typeof momentKinds, string>
export type MomentKind = keyof typeof momentKinds

export function isMomentKind(text: string): text is MomentKind {
  return Object.hasOwn(momentKinds, text)
}
