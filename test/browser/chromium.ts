import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Without windows: it takes less time. */
const windowless = 'chromium-headless-shell'
const names = [windowless, 'chromium', 'chromium-browser', 'google-chrome']

/** The system's Chromium: TELLTALE_CHROMIUM, or the first known name on the PATH. */
export function findChromium(): string {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  const found = process.env.TELLTALE_CHROMIUM || candidates.find((path) => existsSync(path))
  if (!found) throw new Error('no Chromium: install it, or name its program in TELLTALE_CHROMIUM')
  return found
}

/** Chromium refuses its sandbox to root; everything else keeps it from talking to anyone but the page's server. */
export const chromiumArguments = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-sync',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--no-pings',
]
