/** One per intended creation. `randomUUID` is missing on plain HTTP, which is how a new installation starts. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-')
}
