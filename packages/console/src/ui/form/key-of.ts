import { limits } from '@telltale/core/limits'

export const keyAdvice =
  'Use lowercase letters, digits, dot, hyphen and underscore; start with a letter or digit.'

/** `Pedal & Post` becomes `pedal-post`, for URLs and API calls. */
export function keyOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, limits.keyLength)
    .replace(/^-+|-+$/g, '')
}
