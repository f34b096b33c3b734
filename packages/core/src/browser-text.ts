// The browser and the system of a user agent, in words.

const browsers = [
  { name: 'Edge', pattern: /Edg(?:e|A|iOS)?\/(\d+)/ },
  { name: 'Opera', pattern: /OPR\/(\d+)/ },
  { name: 'Firefox', pattern: /(?:Firefox|FxiOS)\/(\d+)/ },
  { name: 'Chrome', pattern: /(?:Chrome|CriOS)\/(\d+)/ },
  { name: 'Safari', pattern: /Version\/(\d+)[^ ]* .*Safari\// },
]
const systems = [
  { name: 'iPhone', pattern: /iPhone/ },
  { name: 'iPad', pattern: /iPad/ },
  { name: 'Android', pattern: /Android/ },
  { name: 'Windows', pattern: /Windows/ },
  { name: 'macOS', pattern: /Mac OS X|Macintosh/ },
  { name: 'ChromeOS', pattern: /CrOS/ },
  { name: 'Linux', pattern: /Linux/ },
]

/** `Firefox 133 on Linux`. Anything but a browser is shown by its own name. */
export function browserText(userAgent: string): string {
  const browser = browsers.find(({ pattern }) => pattern.test(userAgent))
  if (!browser) return userAgent.slice(0, 60) || 'Unknown browser'
  const version = browser.pattern.exec(userAgent)?.[1] ?? ''
  return `${browser.name} ${version}${onSystem(userAgent)}`
}

/** `Firefox on Linux`: the same after an update. The version of another program is left out, too. */
export function deviceText(userAgent: string): string {
  const browser = browsers.find(({ pattern }) => pattern.test(userAgent))
  const name = browser?.name ?? (userAgent.split('/')[0]?.trim().slice(0, 60) || 'Unknown browser')
  return `${name}${onSystem(userAgent)}`
}

function onSystem(userAgent: string): string {
  const system = systems.find(({ pattern }) => pattern.test(userAgent))
  return system ? ` on ${system.name}` : ''
}
