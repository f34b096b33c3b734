// Limits guesses at passwords, codes and links: ten wrong ones a minute for one address and account, sixty a
// minute for one address in total, and a hundred an hour for one account over all addresses. The last limit is
// slow on purpose: with a one-minute window, a stranger could lock the owner out with ten wrong guesses.

import { Problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import type { Queryable } from '../platform/engines/postgres/open.ts'
import { addressKey } from '../platform/http/rate-limit.ts'
import { rememberLast } from '../platform/process/remember-last.ts'
import { type Budget, giveAttemptBack, takeAttempt } from './attempt-budgets.ts'

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

export function createGuessLimits({ db, clock }: { db: Queryable; clock(): Date }): GuessLimits {
  const knownPairs = rememberLast<number>(knownPairsRemembered)
  const takeAll = async (budgets: readonly Budget[]) => {
    for (const budget of budgets) await takeAttempt(db, budget, clock())
  }
  const giveBackAll = async (budgets: readonly Budget[]) => {
    for (const budget of budgets) await giveAttemptBack(db, budget)
  }

  return {
    async attempt({ kind, address, account, link, countsAll }, make) {
      const from = `${kind} ${addressKey(address)}`
      // Each request sends an e-mail, so requests for different accounts share one limit.
      const pair = kind === 'request' ? from : `${from} ${account ?? ''}`
      const isKnown = kind === 'sign-in' && knownPairs.has(pair)
      const target = isKnown ? undefined : (account ?? link)
      const budgets = [
        ofPair(pair),
        ofAddress(from),
        ...(target === undefined ? [] : [ofAccount(`${kind} ${target}`)]),
      ]

      await takeAll(budgets)
      const answer = await make()
      if (countsAll) return answer

      await giveBackAll(budgets)
      if (target !== undefined) knownPairs.set(pair, 1)
      return answer
    },
    async useLink(address, make) {
      const budgets = [ofAddress(`link ${addressKey(address)}`)]
      await takeAll(budgets)
      let isRefused = false
      try {
        return await make()
      } catch (error) {
        isRefused = error instanceof Problem && error.code === 'link-expired'
        throw error
      } finally {
        if (!isRefused) await giveBackAll(budgets)
      }
    },
  }
}

const perMinute = (key: string, most: number): Budget => ({
  key,
  most,
  window: limits.rateWindow,
  detail: `At most ${most} a minute.`,
})
const ofPair = (pair: string) => perMinute(`pair ${pair}`, limits.signInAttempts)
const ofAddress = (from: string) => perMinute(`address ${from}`, limits.signInAttemptsByAddress)
const ofAccount = (target: string): Budget => ({
  key: `account ${target}`,
  most: limits.signInAttemptsByAccount,
  window: limits.signInAccountWindow,
  detail: `At most ${limits.signInAttemptsByAccount} an hour for one account.`,
})
