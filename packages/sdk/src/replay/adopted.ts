// Style sheets that were made by a program and taken up by the page: told like all others, once under the hash of their text.

import { type PageEvent, sources } from './page-event.ts'

/** What follows the event in place of the rules that stood in it. */
export function foldAdopted(
  { type, data, timestamp }: PageEvent,
  sheet: (text: string) => unknown,
): PageEvent[] {
  return (data.styles ?? []).flatMap((style) => {
    const text = style.rules.map(({ rule }) => rule).join('\n')
    const replaceSync = sheet(text)
    // Too short to be worth it, or where nothing can be hashed.
    if (typeof replaceSync === 'string') return []
    style.rules = []
    return [{ type, data: { source: sources.rule, styleId: style.styleId, replaceSync }, timestamp }]
  })
}

/** For lists that are changed without being set anew, which nothing tells. */
export function watchAdopted(): () => void {
  const list = () => document.adoptedStyleSheets ?? []
  let count = list().length
  return () => {
    if (list().length === count) return
    count = list().length
    // The recorder hears of what is set.
    document.adoptedStyleSheets = [...list()]
  }
}
