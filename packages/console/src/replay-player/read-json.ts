// Recordings are untrusted and of any shape: these functions narrow a value to a type, or return undefined.

export type Json = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** Node ids as the recorder assigns them. */
export function idOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined
}

export function within(value: unknown, least: number, most: number): number {
  return Math.min(most, Math.max(least, numberOf(value) ?? 0))
}

export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
