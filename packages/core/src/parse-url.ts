/**
 * Undefined for text that is no URL. In Node 20, `URL.canParse` refuses every text with a letter such as `ü` once it has
 * been called often enough to be optimised.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
