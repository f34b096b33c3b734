// Bounds guesses at passwords, codes and links. Ten wrong ones a minute from one address at one account; sixty from one
// address at whatever; and, over all addresses, a hundred an hour at one account. The last limit is slow on purpose:
// a minute's window would let a stranger lock the owner out with ten wrong guesses.

import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { addressKey, createRateLimit } from '../platform/http/rate-limit.ts'
import { rememberLast } from '../platform/process/remember-last.ts'

const keysRemembered = 20_000
/** An address that signed in to an account is not held up by what others guess at it. */
const knownPairsRemembered = 20_000

export interface Guess {
  /** `confirm`: a signed-in caller repeats the password. The kinds never count against each other. */
  kind: 'sign-in' | 'confirm' | 'request'
  /** IP address of the client. */
  address: string
  /** The e-mail of the account in question. */
  account?: string | undefined
  /** The hash of the link in question: behind one of them is an account with a password. */
  link?: string | undefined
  /** Whether an attempt that succeeds counts too. */
  countsAll: boolean
}

export interface GuessLimits {
  /** Makes the attempt unless a limit is reached; throws `rate-limited`. */
  attempt<Answer>(guess: Guess, make: () => Promise<Answer>): Promise<Answer>
}

/** `elapsed`: milliseconds that never go back. */
export function createGuessLimits(elapsed: () => number): GuessLimits {
  const byAddress = createRateLimit(limits.signInAttemptsByAddress, elapsed)
  const byPair = createRateLimit(limits.signInAttempts, elapsed)
  const byAccount = createSlowLimit(limits.signInAttemptsByAccount, elapsed)
  const knownPairs = rememberLast<number>(knownPairsRemembered)

  return {
    async attempt({ kind, address, account, link, countsAll }, make) {
      const from = `${kind} ${addressKey(address)}`
      // Each request sends a letter: whoever asks in the name of ten accounts has asked ten times.
      const pair = kind === 'request' ? from : `${from} ${account ?? ''}`
      const isKnown = kind === 'sign-in' && knownPairs.has(pair)
      const target = isKnown ? undefined : (account ?? link)
      const slow = `${kind} ${target}`

      byPair.take(pair)
      byAddress.take(from)
      if (target !== undefined) byAccount.take(slow)
      const answer = await make()
      if (countsAll) return answer

      byPair.giveBack(pair)
      byAddress.giveBack(from)
      if (target !== undefined) {
        byAccount.giveBack(slow)
        knownPairs.set(pair, 1)
      }
      return answer
    },
  }
}

/** So many at once, after which one more is allowed every `window / most`: it slows down and never shuts. */
function createSlowLimit(most: number, elapsed: () => number) {
  const interval = limits.signInAccountWindow / most
  /** When all that was taken will have been earned back (GCRA). */
  const earnedAt = rememberLast<number>(keysRemembered)

  return {
    take(key: string): void {
      const now = elapsed()
      const next = Math.max(earnedAt.get(key) ?? 0, now) + interval
      const excess = next - now - limits.signInAccountWindow
      if (excess > 0) {
        throw problem('rate-limited', {
          detail: `At most ${most} an hour for one account.`,
          retryAfterSeconds: excess / 1_000,
        })
      }
      earnedAt.set(key, next)
    },
    giveBack(key: string): void {
      const until = earnedAt.get(key)
      if (until !== undefined) earnedAt.set(key, until - interval)
    },
  }
}
