// The text of style sheets, from their rules.

/** Undefined: of another origin, whose rules a page may not read. */
export function rulesOf(sheet: CSSStyleSheet): readonly CSSRule[] | undefined {
  try {
    return [...sheet.cssRules]
  } catch {
    return undefined
  }
}

/** Each rule stays one, also an import: changes name rules by their index. */
export function textOf(sheet: CSSStyleSheet): string {
  const text = absolute((rulesOf(sheet) ?? []).map(textOfRule).join('\n'), sheet)
  const { mediaText } = sheet.media
  const { media = '' } = Object(sheet.ownerNode)
  return mediaText && mediaText !== media ? `@media ${mediaText}{${text}}` : text
}

function textOfRule(rule: CSSRule): string {
  const { styleSheet, media, layerName, supportsText } = Object(rule)
  if (!styleSheet || !rulesOf(styleSheet)) return rule.cssText
  let text = `@media ${media?.mediaText || 'all'}{${textOf(styleSheet)}}`
  if (supportsText)
    text = `@supports ${supportsText.includes(':') ? `(${supportsText})` : supportsText}{${text}}`
  return layerName === null || layerName === undefined ? text : `@layer ${layerName}{${text}}`
}

export const hasImports = (sheet: CSSStyleSheet) => !!rulesOf(sheet)?.some((rule) => 'styleSheet' in rule)

const relative = /(url\(\s*["']?)(?!["'\s#]|[a-z][\w+.-]*:)([^"')]+)/gi

/** Addresses in a sheet are relative to it. */
export function absolute(text: string, { href }: { href: string | null }): string {
  if (!text.includes('url(')) return text
  return text.replace(relative, (all, ...[before, address = '']: string[]) => {
    try {
      return before + new URL(address.trim(), href ?? document.baseURI).href
    } catch {
      return all
    }
  })
}

/** Whether a program changed the rules of this text. */
export function differs(sheet: CSSStyleSheet, text: string): boolean {
  const rules = rulesOf(sheet)
  if (!rules || text.includes('@import')) return false
  const copy = new CSSStyleSheet()
  copy.replaceSync(text)
  const { cssRules } = copy
  return (
    rules.length !== cssRules.length || rules.some(({ cssText }, at) => cssText !== cssRules[at]?.cssText)
  )
}

/** Imported sheets are part of the one that imports them. */
export function topOf(sheet: CSSStyleSheet): CSSStyleSheet {
  const parent = sheet.ownerRule?.parentStyleSheet
  return parent ? topOf(parent) : sheet
}

/** Whether rules can be added to it at an index. */
export const isGroup = (rule: CSSRule) => 'insertRule' in rule && !('selectorText' in rule)

/** Undefined: it has been removed. */
export function pathOf(rule: CSSRule): number[] | undefined {
  const path: number[] = []
  for (let at: CSSRule | null = rule; at; at = at.parentRule) {
    const holder: unknown = at.parentRule ?? at.parentStyleSheet
    const index = [...(Object(holder).cssRules ?? [])].indexOf(at)
    if (index < 0) return undefined
    path.unshift(index)
  }
  return path
}
