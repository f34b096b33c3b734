// Reads members of a stored recording, which may be any JSON.

export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '')
export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined
