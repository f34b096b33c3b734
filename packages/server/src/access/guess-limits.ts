// Limits guesses at passwords, codes and links: ten wrong ones a minute for one address and account, sixty a
// minute for one address in total, and a hundred an hour for one account over all addresses. The last limit is
// slow on purpose: with a one-minute window, a stranger could lock the owner out with ten wrong guesses.

import { Problem, problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { addressKey, createRateLimit } from '../platform/http/rate-limit.ts'
import { rememberLast } from '../platform/process/remember-last.ts'

const keysRemembered = 20_000
/** An address that has signed in to an account is not limited by guesses of others at it. */
const knownPairsRemembered = 20_000

export interface Guess {
  /** `confirm`: a signed-in caller repeats the password. Each kind is counted separately. */
  kind: 'sign-in' | 'confirm' | 'request'
  /** IP address of the client. */
  address: string
  /** The e-mail address of the account. */
  account?: string | undefined
  /** The hash of the link, which protects an account with a password. */
  link?: string | undefined
  /** Whether successful attempts count as well. */
  countsAll: boolean
}

export interface GuessLimits {
  /** Makes the attempt unless a limit is reached; throws `rate-limited`. */
  attempt<Answer>(guess: Guess, make: () => Promise<Answer>): Promise<Answer>
  /** Counts a refused link, and attempts in flight; throws `rate-limited`. */
  useLink<Answer>(address: string, make: () => Promise<Answer>): Promise<Answer>
}

/** `elapsed`: monotonic milliseconds. */
export function createGuessLimits(elapsed: () => number): GuessLimits {
  const byAddress = createRateLimit(limits.signInAttemptsByAddress, elapsed)
  const byPair = createRateLimit(limits.signInAttempts, elapsed)
  const byAccount = createSlowLimit(limits.signInAttemptsByAccount, elapsed)
  const knownPairs = rememberLast<number>(knownPairsRemembered)

  return {
    async attempt({ kind, address, account, link, countsAll }, make) {
      const from = `${kind} ${addressKey(address)}`
      // Each request sends an e-mail, so requests for different accounts share one limit.
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
    async useLink(address, make) {
      const from = `link ${addressKey(address)}`
      byAddress.take(from)
      let isRefused = false
      try {
        return await make()
      } catch (error) {
        isRefused = error instanceof Problem && error.code === 'link-expired'
        throw error
      } finally {
        if (!isRefused) byAddress.giveBack(from)
      }
    },
  }
}

/** Allows a burst of `most`, then one more every `window / most`: it slows down but never blocks completely. */
function createSlowLimit(most: number, elapsed: () => number) {
  const interval = limits.signInAccountWindow / most
  /** When all attempts taken are available again (GCRA). */
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
