// Messages of the console, with their arguments. Objects are read after the code that logs them, so that nothing of the
// page runs in between.

import { consoleLevels } from '@telltale/core/telemetry/replay/codes'
import { isSecretName } from '@telltale/core/telemetry/secrets'
import { around } from '../browser/around.ts'
import { cleanPart, type Named } from './clean-value.ts'
import { describeValue } from './describe-value.ts'

export type ConsoleLevel = (typeof consoleLevels)[number]

export interface ConsoleMessage {
  level: ConsoleLevel
  text: string
  /** Those of which the text is made, when it does not show them whole. */
  args: string[]
}

const longestText = 1_000
const argsAtMost = 10
const methods: readonly ConsoleLevel[] = consoleLevels

/** `isWanted`: asked first; without room for it, a message costs nothing. */
export function watchConsole(
  named: Named,
  isWanted: () => boolean,
  onMessage: (message: ConsoleMessage) => void,
): () => void {
  /** What describes a message may log another, by a proxy of the page. */
  let isDescribing = false
  const note = (level: ConsoleLevel, args: readonly unknown[]) => {
    if (isDescribing || !isWanted()) return
    queueMicrotask(() => {
      isDescribing = true
      try {
        onMessage(describeMessage(level, args, named))
      } catch {
        // A proxy of the page threw.
      } finally {
        isDescribing = false
      }
    })
  }
  const stops = methods.map((level) =>
    around({
      owner: console,
      name: level,
      before: (_console, args) => {
        note(level, args)
        return undefined
      },
    }),
  )
  stops.push(
    around({
      owner: console,
      name: 'assert',
      before: (_console, [isTrue, ...args]) => {
        if (!isTrue) note('error', ['Assertion failed:', ...args])
        return undefined
      },
    }),
  )
  return () => {
    for (const stop of stops) stop()
  }
}

export function describeMessage(level: ConsoleLevel, args: readonly unknown[], named: Named): ConsoleMessage {
  const shown = args
    .slice(0, argsAtMost)
    .map((arg, index) => (isNamedSecret(args[index - 1], named) ? '[secret]' : describeValue(arg, named)))
  if (args.length > argsAtMost) shown.push(`${args.length - argsAtMost} more`)
  const text = cleanPart(joinArguments(args[0], shown), longestText, named)
  const isWhole = args.every((arg) => typeof arg !== 'object' || arg === null) && text.length < longestText
  return { level, text, args: isWhole ? [] : shown }
}

/** The argument before ends with a name such as `token:`. */
function isNamedSecret(before: unknown, named: Named): boolean {
  if (typeof before !== 'string') return false
  const [, name] = /([\w.-]{1,80})["']?\s{0,8}[:=]?\s{0,8}$/.exec(before.slice(-100)) ?? []
  return name !== undefined && isSecretName(name, named)
}

/** The placeholders of the first argument are filled in, as the console does. */
function joinArguments(first: unknown, shown: readonly string[]): string {
  const [format = '', ...rest] = shown
  if (typeof first !== 'string' || !format.includes('%')) return shown.join(' ')
  let used = 0
  const text = format.replace(/%([sdifoOc%])/g, (found, kind: string) => {
    if (kind === '%') return '%'
    if (used >= rest.length) return found
    const value = rest[used++] ?? ''
    return kind === 'c' ? '' : value
  })
  return [text, ...rest.slice(used)].join(' ')
}
