// Estimates the memory of parsed JSON: three bytes of text (`{},`) become an object of 56. Counts opening and
// separating bytes, even inside strings: an overestimate is safer.

const [openBrace, openBracket, colon, comma] = [0x7b, 0x5b, 0x3a, 0x2c]

/** In bytes, of 64-bit V8: an object with its slots; an array; a member with its name; an element. */
const costs = { object: 72, array: 56, member: 64, element: 24 } as const
/** Its text as a string, with two bytes per character at worst, and its strings once more. */
const perByte = 3

export function parsedSize(text: Uint8Array): number {
  let size = perByte * text.length
  for (let at = 0; at < text.length; at++) {
    const byte = text[at]
    if (byte === comma) size += costs.element
    else if (byte === colon) size += costs.member
    else if (byte === openBrace) size += costs.object
    else if (byte === openBracket) size += costs.array
  }
  return size
}
