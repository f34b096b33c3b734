// Generated programs do the same before, with the flag at its value, and after its removal.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json } from './flag/json.ts'
import { removeFromFiles } from './remove-from-files.ts'

const values: Json[] = [true, false, 'a', 'b', '', 0, 7, null]
const read = "flags.getJson('k', 0)"

/** Writes a program from a list of choices; an empty list ends it soon. */
function writeProgram(choices: readonly number[]): string {
  let at = 0
  let names = 0
  let calls = 0
  const pick = (count: number) => (choices[at++] ?? 0) % count
  const call = () => `log(${++calls})`

  const expression = (depth: number, scope: readonly string[]): string => {
    const next = () => expression(depth - 1, scope)
    const name = scope[pick(Math.max(1, scope.length))]
    if (depth <= 0) return [read, call(), name ?? read, "'a'", '1'][pick(5)] ?? read
    const forms = [
      () => read,
      () => `!${next()}`,
      () => `(${next()} && ${next()})`,
      () => `(${next()} || ${next()})`,
      () => `(${next()} ?? ${next()})`,
      () => `(${next()} ? ${next()} : ${next()})`,
      () => `(${read} === ${next()})`,
      () => `(${read} !== 'a')`,
      () => `(typeof ${read} === 'string')`,
      () => `\`x\${${next()}}y\``,
      () => `[${next()}, ...(${read} ? [${next()}] : [])].length`,
      () => `({ a: ${next()}, ...(${read} && { b: 2 }) }).b`,
      () => `({ a: 1, b: 2 })[${read}]`,
      () => `(() => ${next()})()`,
      () => `(${read} + 1)`,
      () => `log(${next()})`,
      () => `Boolean(${next()})`,
      () => `${read} && ${next()} || ${next()}`,
      () => `(${next()} === (${read} ? 'a' : 'b'))`,
    ]
    const written = forms[pick(forms.length)]?.() ?? read
    return written.startsWith('!') || written.includes(' || ') ? `(${written})` : written
  }

  const block = (depth: number, scope: readonly string[]): string => `{\n${statements(depth - 1, scope)}}`

  const statements = (depth: number, outer: readonly string[]): string => {
    let scope = [...outer]
    let text = ''
    for (let count = pick(4); count >= 0; count--) {
      const declared: string[] = []
      text += `${statement(depth, scope, declared)}\n`
      scope = [...scope, ...declared]
    }
    return text
  }

  const statement = (depth: number, scope: readonly string[], declared: string[]): string => {
    const value = (levels = 2) => expression(levels, scope)
    if (depth <= 0) return `log(${value(1)})`
    const forms = [
      () => `log(${value()})`,
      () => `if (${value()}) ${block(depth, scope)} else ${block(depth, scope)}`,
      () => `if (${value()}) ${block(depth, scope)}`,
      () =>
        `if (${read}) ${block(depth, scope)} else if (${value()}) ${block(depth, scope)} else ${block(depth, scope)}`,
      () => `if (${value()}) return ${value()}`,
      () => `if (${value()}) ${call()}\nelse ${call()}`,
      () => `;${value()} && ${call()}`,
      () => {
        const name = `v${++names}`
        declared.push(name)
        return `${['const', 'let', 'var'][pick(3)]} ${name} = ${pick(2) ? read : value()}`
      },
      () => {
        // The same name in different blocks.
        return `if (${value()}) {\nconst same = ${value()}\nlog(same)\n}`
      },
      () => {
        const name = scope[pick(Math.max(1, scope.length))]
        return name === undefined || name.startsWith('f') ? call() : `log(${name} ? ${value()} : ${value()})`
      },
      () =>
        `switch (${read}) {\ncase 'a':\n${statements(depth - 1, scope)}${pick(2) ? 'break\n' : ''}case 7: {\n${statements(depth - 1, scope)}${pick(2) ? 'break\n' : ''}}\ncase false:\nif (${value()}) break\n${call()}\nbreak\ndefault:\n${call()}\n}`,
      () => {
        const name = `g${++names}`
        return `const ${name} = () => ${block(depth, scope)}\nlog(${name}())`
      },
      () => {
        const name = `h${++names}`
        return `function ${name}() { return ${pick(2) ? read : value()} }\nlog(${name}() ? ${value()} : ${call()})`
      },
      () => `for (const n of [1, 2]) ${block(depth, scope)}`,
      () => {
        const name = `m${++names}`
        return `const ${name} = { a: 'x', b: 'y', true: 'z', false: 'w' }\nlog(${name}[${read}])`
      },
      () => `let w${++names} = ${read}\nif (${value()}) w${names} = ${value()}\nlog(w${names})`,
      () => `;(${value()} || ${call()})`,
      () => `while (${read}) { ${call()}\nbreak }`,
    ]
    return forms[pick(forms.length)]?.() ?? call()
  }

  const body = statements(3, [])
  return `export function main(flags, log) {\n${body}}\n`
}

/** What the program logs and returns. */
function run(text: string, value: Json): unknown {
  const logged: unknown[] = []
  const main: unknown = new Function(`${text.replace('export function', 'return function')}`)()
  if (typeof main !== 'function') throw new Error('There is no main function.')
  try {
    const log = (what: unknown) => {
      logged.push(what)
      return typeof what === 'number' ? what % 2 === 0 : what
    }
    logged.push(['returned', main({ getJson: () => value }, log)])
  } catch (error) {
    logged.push(['thrown', error instanceof Error && error.constructor.name])
  }
  return logged
}

const found: [choices: number[], value: Json][] = [
  // A statement that is left of a variable would continue the one before.
  [[14, 914, 7, 0, 0, 0, 182, 0, 0, 0, 0, 553, 0, 0, 0, 9, 0, 482], null],
]

test('a program does the same without the flag', () => {
  let removed = 0
  fc.assert(
    fc.property(
      fc.array(fc.nat({ max: 1_000 }), { minLength: 5, maxLength: 120 }),
      fc.constantFrom(...values),
      (choices, value) => {
        const before = writeProgram(choices)
        const removal = {
          key: 'k',
          value,
          variation: undefined,
          otherVariations: [],
          names: { wrappers: [], constants: {} },
        }
        const { changed, left } = removeFromFiles([{ path: 'a.js', text: before }], removal)
        const after = changed[0]?.text ?? before
        expect(
          left.filter(({ reason }) => reason.includes('The file was left')),
          before,
        ).toEqual([])
        expect(run(after, value), `${before}\n---\n${after}`).toEqual(run(before, value))
        if (before.includes(read) && !after.includes(read)) removed++
        const again = removeFromFiles([{ path: 'a.js', text: after }], removal)
        expect(again.changed, `${before}\n---\n${after}`).toEqual([])
      },
    ),
    { numRuns: Number(process.env.TELLTALE_PROGRAMS ?? 300), examples: found },
  )
  expect(removed).toBeGreaterThan(100)
})
