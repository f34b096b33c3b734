// From a command line to a verb and its exit code.

import { createRequire } from 'node:module'
import { closest } from './closest.ts'
import { Failure } from './failure.ts'
import { helpOfCommand, helpOfVerb, helpOfWord, usageOf } from './help.ts'
import { readArguments, UsageError } from './read-arguments.ts'
import { exitCodes, type Verb } from './verb.ts'

const asksForHelp = (word: string | undefined) => word === '--help' || word === '-h'

/** `verbs`: the table. `start` is the verb of a bare `telltale`, which is what `npx telltale` runs. */
export async function runCommand(
  args: readonly string[],
  { verbs, start }: { verbs: readonly Verb[]; start: Verb },
): Promise<number> {
  const [first] = args
  if (first === '--version' || first === '-v') return print(readVersion())
  if (first === 'help' || asksForHelp(first)) return printHelp(args.slice(1), verbs)
  if (first === undefined || first.startsWith('-')) return runVerb(start, args)

  const verb = findVerb(args, verbs)
  if (verb === undefined) return printUnknown(args, verbs)
  return runVerb(verb, args.slice(wordsOf(verb).length))
}

const wordsOf = ({ name }: Verb) => name.split(' ')

/** The verb with the longest name that the command line begins with: `deploy mark` before `deploy`. */
function findVerb(args: readonly string[], verbs: readonly Verb[]): Verb | undefined {
  return verbs
    .filter((verb) => wordsOf(verb).every((word, index) => args[index] === word))
    .sort((one, other) => wordsOf(other).length - wordsOf(one).length)[0]
}

async function runVerb(verb: Verb, rest: readonly string[]): Promise<number> {
  if (rest.some(asksForHelp)) return print(helpOfVerb(verb))
  try {
    return await verb.run(readArguments(verb, rest, process.env))
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`${error.message}\nUsage: telltale ${usageOf(verb)}`)
      return exitCodes.misused
    }
    if (!(error instanceof Failure)) throw error
    console.error(error.lines.join('\n'))
    return exitCodes.failed
  }
}

function printHelp(words: readonly string[], verbs: readonly Verb[]): number {
  const [word] = words
  if (word === undefined) return print(helpOfCommand(verbs))
  const verb = findVerb(words, verbs)
  if (verb !== undefined) return print(helpOfVerb(verb))
  const related = verbsOfWord(word, verbs)
  return related.length > 0 ? print(helpOfWord(word, related)) : printUnknown(words, verbs)
}

const verbsOfWord = (word: string, verbs: readonly Verb[]) =>
  verbs.filter(({ name }) => name.startsWith(`${word} `))

function printUnknown(args: readonly string[], verbs: readonly Verb[]): number {
  const [word = '', next] = args
  const related = verbsOfWord(word, verbs)
  if (related.length > 0 && (next === undefined || asksForHelp(next))) {
    console.log(helpOfWord(word, related))
    return next === undefined ? exitCodes.misused : exitCodes.done
  }
  const name = related.length > 0 ? `${word} ${next}` : word
  const meant = closest(
    name,
    verbs.map((verb) => verb.name),
  )
  const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`
  const usage = `Usage: telltale help${related.length > 0 ? ` ${word}` : ''}`
  console.error(`Unknown command "${name}".${hint}\n${usage}`)
  return exitCodes.misused
}

function print(text: string): number {
  console.log(text)
  return exitCodes.done
}

/** From `src/command`, or from `dist`: the manifest is above. */
function readVersion(): string {
  const require = createRequire(import.meta.url)
  for (const path of ['../package.json', '../../package.json']) {
    try {
      const manifest: unknown = require(path)
      if (typeof manifest === 'object' && manifest !== null && 'version' in manifest)
        return String(manifest.version)
    } catch {
      // The other one.
    }
  }
  return 'unknown'
}
