import type { SessionRow } from '../../api/sessions.ts'

/** The user: the key from the application, or the browser's. */
export function whoText({ userKey }: Pick<SessionRow, 'userKey'>): string {
  return userKey || 'guest'
}

type Clicks = Pick<SessionRow, 'rageClicks' | 'deadClicks' | 'errorClicks'>

/** `3 rage clicks, 1 dead click`; empty without any. */
export function frustrationText({ rageClicks, deadClicks, errorClicks }: Clicks): string {
  return [many(rageClicks, 'rage click'), many(deadClicks, 'dead click'), many(errorClicks, 'error click')]
    .filter((part) => part !== '')
    .join(', ')
}

/** `3 pages`; empty for none. */
export function many(count: number, one: string): string {
  if (count === 0) return ''
  return `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`
}

/** `Phone, Chrome, Android, DE`, as far as known. */
export function deviceText(session: Pick<SessionRow, 'device' | 'browser' | 'os' | 'country'>): string {
  const { device, browser, os, country } = session
  return [deviceName(device), browser, os, country].filter((part) => part !== '').join(', ')
}

const deviceNames: Readonly<Record<string, string>> = {
  mobile: 'Phone',
  tablet: 'Tablet',
  desktop: 'Desktop',
}
export const deviceName = (device: string) => deviceNames[device] ?? device

/** For a playlist: whether its replay can be kept. */
export const toAdded = ({ id, replay }: Pick<SessionRow, 'id' | 'replay'>) => ({
  id,
  mayBeKept: replay !== null && !replay.kept,
})
