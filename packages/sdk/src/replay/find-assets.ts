// What a page shows with and a recording cannot read where it is: the files of its fonts, and style sheets of other sites.

const fontMime: Record<string, string> = {
  woff2: 'font/woff2',
  woff: 'font/woff',
  ttf: 'font/ttf',
  otf: 'font/otf',
}

/** Addresses and types of fonts that are loaded. */
export function fontsInUse(): [address: string, mime: string][] {
  const loaded = new Set(
    [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => bare(family)),
  )
  return [...document.styleSheets].flatMap((sheet) => {
    try {
      return [...sheet.cssRules].flatMap((rule) => {
        if (
          !(rule instanceof CSSFontFaceRule) ||
          !loaded.has(bare(rule.style.getPropertyValue('font-family')))
        )
          return []
        const [, found = ''] = /url\(\s*["']?([^"')]+)/.exec(rule.style.getPropertyValue('src')) ?? []
        const address = new URL(found, sheet.href ?? document.baseURI).href
        const mime = fontMime[/\.(\w+)(?:[?#]|$)/.exec(address)?.[1] ?? '']
        return /^https?:/.test(address) && mime ? [[address, mime] as [string, string]] : []
      })
    } catch {
      return []
    }
  })
}

const bare = (family: string) => family.replace(/["']/g, '')

/**
 * Of other sites, which show their style sheets but do not let them be read. Only from those that the application names: a
 * browser reports every request that a site does not allow as an error in the console.
 */
export function closedSheets(origins: readonly string[]): [address: string, mime: string][] {
  return [...document.styleSheets].flatMap((sheet) => {
    try {
      return sheet.cssRules ? [] : []
    } catch {
      const { href } = sheet
      return href && origins.includes(new URL(href).origin) ? [[href, 'text/css'] as [string, string]] : []
    }
  })
}
