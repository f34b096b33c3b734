// In whatever form a page was recorded, the player gets one: lines of JSON, an event of rrweb 2 each. A new form of recordings is
// added here, with how it becomes that, and to `replayFormats` of the contract.

type Convert = (text: Buffer) => Buffer

const forms = new Map<string, Convert>([['rrweb-2', asLines]])

/** Nothing for a form that nobody knows, which another version may have written. */
export function toPlayerForm(format: string, text: Buffer): Buffer | undefined {
  return forms.get(format)?.(text)
}

/** It is the player's own. What stands after the last line would be one with the first of the next segment. */
function asLines(text: Buffer): Buffer {
  const lineEnd = 10
  return text.length === 0 || text.at(-1) === lineEnd ? text : Buffer.concat([text, Buffer.from([lineEnd])])
}
