/** One per intended creation. `randomUUID` is missing on plain http, which is how an installation begins. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-')
}
