// Finds assets that the page uses and a recording cannot read in place: font files, and style sheets of other origins.

import type { FaceInUse } from './notes.ts'

const fontMime: Record<string, string> = {
  woff2: 'font/woff2',
  woff: 'font/woff',
  ttf: 'font/ttf',
  otf: 'font/otf',
}

type Found = [address: string, mime: string]

/** Addresses and types of fonts that are loaded, and what is only known of those that a program loaded. */
export function fontsInUse(): { files: Found[]; faces: FaceInUse[] } {
  const loaded = [...document.fonts].filter(({ status }) => status === 'loaded')
  const declared = declaredFonts()
  const families = new Set(declared.map(({ family }) => family))
  const used = new Set(loaded.map(({ family }) => bare(family)))
  const faces = findFiles(
    loaded.filter(({ family }) => !families.has(bare(family))),
    performance
      .getEntriesByType('resource')
      .map(({ name }) => name)
      .filter((name) => mimeOf(name) && !declared.some(({ address }) => address === name)),
  )
  const addresses = [
    ...declared.filter(({ family }) => used.has(family)).map(({ address }) => address),
    ...faces.map(({ address }) => address),
  ]
  const files = addresses.flatMap((address): Found[] => {
    const mime = mimeOf(address)
    return /^https?:/.test(address) && mime ? [[address, mime]] : []
  })
  return { files, faces }
}

const mimeOf = (address: string) => fontMime[/\.(\w+)(?:[?#]|$)/.exec(address)?.[1] ?? '']

/** By the style sheets that can be read. */
function declaredFonts(): { family: string; address: string }[] {
  return [...document.styleSheets].flatMap((sheet) => {
    try {
      return [...sheet.cssRules].flatMap((rule) => {
        if (!(rule instanceof CSSFontFaceRule)) return []
        const [, found = ''] = /url\(\s*["']?([^"')]+)/.exec(rule.style.getPropertyValue('src')) ?? []
        const address = new URL(found, sheet.href ?? document.baseURI).href
        return [{ family: bare(rule.style.getPropertyValue('font-family')), address }]
      })
    } catch {
      return []
    }
  })
}

/**
 * A font does not reveal its source. A file is matched by name, or when there is only one file and one font: a wrong
 * font would be worse than none.
 */
function findFiles(fonts: readonly FontFace[], addresses: readonly string[]): FaceInUse[] {
  return fonts.flatMap(({ family, style, weight, stretch, unicodeRange }) => {
    const name = lettersOf(family)
    const rests = addresses.flatMap((address) => {
      const [before, after] = lettersOf(address.replace(/^.*\/|\.\w+([?#].*)?$/g, '')).split(name)
      return after === undefined ? [] : [{ address, rest: `${before}${after}` }]
    })
    const exact = rests.filter(({ rest }) => namesOf(weight, style).includes(rest))
    const [found, other] = exact.length === 1 ? exact : rests
    const only = fonts.length === 1 && addresses.length === 1 ? addresses[0] : undefined
    const address = (other ? undefined : found?.address) ?? only
    return address ? [{ family: bare(family), style, weight, stretch, unicodeRange, address }] : []
  })
}

const lettersOf = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')

const weights: Record<string, string> = {
  100: 'thin',
  200: 'extralight',
  300: 'light',
  normal: 'regular',
  400: 'regular',
  500: 'medium',
  600: 'semibold',
  bold: 'bold',
  700: 'bold',
  800: 'extrabold',
  900: 'black',
}

/** The usual suffixes after the family in the name of such a file. */
function namesOf(weight: string, style: string): string[] {
  const names = [weights[weight] ?? weight, weight]
  if (style === 'normal') return weights[weight] === 'regular' ? ['', ...names] : names
  return weights[weight] === 'regular'
    ? [style, ...names.map((name) => name + style)]
    : names.map((name) => name + style)
}

const bare = (family: string) => family.replace(/["']/g, '')

/**
 * Style sheets of other origins that are applied but unreadable. Only origins that the application lists: a browser
 * logs every request blocked by CORS as an error in the console.
 */
export function closedSheets(origins: readonly string[]): Found[] {
  return [...document.styleSheets].flatMap((sheet) => {
    try {
      return sheet.cssRules ? [] : []
    } catch {
      const { href } = sheet
      return href && origins.includes(new URL(href).origin) ? [[href, 'text/css'] satisfies Found] : []
    }
  })
}
