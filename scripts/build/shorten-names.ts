// Shortens members that only one file of the browser client uses to one or two letters: their names cost every page
// bytes.

import type { Plugin } from 'rolldown'

/**
 * `names`: the members to shorten. Throws if a name also occurs in a string or is computed, because those uses cannot
 * be found.
 */
export function shortenNames(names: readonly string[]): Plugin {
  return {
    name: 'shorten-names',
    renderChunk(code) {
      const found: Place[] = []
      const texts = new Set<string>()
      collect(this.parse(code), { found, texts })
      const known = names.find((name) => texts.has(name))
      if (known !== undefined) throw new Error(`"${known}" stands in a text, too: it cannot be shortened`)
      const taken = new Set(found.map(({ name }) => name))
      const free = shortNames.filter((short) => !taken.has(short))
      const shortOf = new Map(names.map((name, index) => [name, free[index] ?? name]))
      let result = ''
      let end = 0
      for (const { name, start, stop, isShorthand } of found.sort((one, other) => one.start - other.start)) {
        const short = shortOf.get(name)
        if (short === undefined) continue
        result += code.slice(end, start) + (isShorthand ? `${short}: ${code.slice(start, stop)}` : short)
        end = stop
      }
      return result + code.slice(end)
    },
  }
}

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'

const shortNames = [...letters, ...[...letters].map((letter) => `$${letter}`)]

interface Place {
  name: string
  start: number
  stop: number
  isShorthand: boolean
}

interface Syntax {
  type: string
  start: number
  end: number
  [member: string]: unknown
}

function isSyntax(value: unknown): value is Syntax {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

function collect(value: unknown, { found, texts }: { found: Place[]; texts: Set<string> }): void {
  if (Array.isArray(value)) for (const each of value) collect(each, { found, texts })
  if (!isSyntax(value)) return
  const { type, computed, property, key, shorthand } = value
  if (type === 'Literal' && typeof value.value === 'string') texts.add(value.value)
  const member = type === 'MemberExpression' ? property : type === 'Property' ? key : undefined
  const isNamed = isSyntax(member) && !computed && typeof member.name === 'string'
  if (isNamed) {
    // `{ name = 1 }`: the key is the start of its value.
    const isShorthand = type === 'Property' && shorthand === true
    const stop = member.start + `${member.name}`.length
    found.push({ name: `${member.name}`, start: member.start, stop, isShorthand })
  }
  for (const [name, part] of Object.entries(value)) {
    if (name !== 'type' && !(isNamed && part === member)) collect(part, { found, texts })
  }
}
